import { z } from 'zod';

import { predictionSchema } from '../../model/advice.ts';
import { verificationSchema } from '../../model/verification.ts';
import { comparisonSchema } from '../../model/comparison.ts';
import { deviceInfoSchema, deviceStateSchema } from '../../model/device.ts';
import { diagnosisSchema } from '../../model/diagnosis.ts';
import { faultSchema } from '../../model/fault.ts';
import { evidenceSchema, gateResultSchema, methodSchema } from '../../model/gate.ts';
import {
  commitsPageSchema,
  costsPageSchema,
  devicesPageSchema,
  healthSchema,
  keysPageSchema,
  measurementSummarySchema,
  pointComparisonSchema,
  problemSchema,
  profilesPageSchema,
  runDetailSchema,
  runsPageSchema,
  sessionsPageSchema,
  storedMeasurementSchema,
  storedProfileSchema,
  storedStudySchema,
  studiesPageSchema,
  uploadedSchema,
  uploadSchema,
} from '../../model/history-api.ts';
import {
  historyKeySchema,
  historyRunSchema,
  judgedDeviceSchema,
  overviewSchema,
  trendChangeSchema,
  trendPointSchema,
  trendSchema,
} from '../../model/history.ts';
import { lessonSchema, lessonsSchema } from '../../model/lesson.ts';
import { liveEventSchema } from '../../model/live-event.ts';
import { profileReportSchema } from '../../model/profile-report.ts';
import {
  binarySchema,
  environmentSchema,
  floorSchema,
  lostSeriesSchema,
  measurementSchema,
  samplesSchema,
  seriesSchema,
} from '../../model/samples.ts';
import { sessionSchema, trySchema } from '../../model/session.ts';
import { storedRunSchema } from '../../model/stored-run.ts';
import { trialSchema } from '../../model/study.ts';
import { variantSchema } from '../../model/variant.ts';

/** What is described once and referred to by name. */
export function namedSchemas() {
  const named = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) named.add(schema, { id });
  return named;
}

const NAMED: Readonly<Record<string, z.ZodType>> = {
  Binary: binarySchema,
  Verification: verificationSchema,
  CommitsPage: commitsPageSchema,
  Comparison: comparisonSchema,
  CostsPage: costsPageSchema,
  DeviceHealth: judgedDeviceSchema,
  DeviceInfo: deviceInfoSchema,
  DeviceState: deviceStateSchema,
  DevicesPage: devicesPageSchema,
  Diagnosis: diagnosisSchema,
  Environment: environmentSchema,
  Evidence: evidenceSchema,
  Fault: faultSchema,
  Floor: floorSchema,
  GateResult: gateResultSchema,
  Health: healthSchema,
  HistoryKey: historyKeySchema,
  HistoryRun: historyRunSchema,
  KeysPage: keysPageSchema,
  Lesson: lessonSchema,
  Lessons: lessonsSchema,
  LiveEvent: liveEventSchema,
  LostSeries: lostSeriesSchema,
  Measurement: measurementSchema,
  MeasurementSummary: measurementSummarySchema,
  Method: methodSchema,
  Overview: overviewSchema,
  PointComparison: pointComparisonSchema,
  Prediction: predictionSchema,
  Problem: problemSchema,
  ProfileReport: profileReportSchema,
  ProfilesPage: profilesPageSchema,
  RunDetail: runDetailSchema,
  RunsPage: runsPageSchema,
  Samples: samplesSchema,
  Series: seriesSchema,
  Session: sessionSchema,
  SessionsPage: sessionsPageSchema,
  StoredMeasurement: storedMeasurementSchema,
  StoredProfile: storedProfileSchema,
  StoredRun: storedRunSchema,
  StoredStudy: storedStudySchema,
  StudiesPage: studiesPageSchema,
  Trend: trendSchema,
  TrendChange: trendChangeSchema,
  TrendPoint: trendPointSchema,
  Trial: trialSchema,
  Try: trySchema,
  Upload: uploadSchema,
  Uploaded: uploadedSchema,
  Variant: variantSchema,
};
