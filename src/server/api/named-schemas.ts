import { z } from 'zod';

import { checkResultSchema } from '../../model/check.ts';
import { comparisonSchema } from '../../model/comparison.ts';
import { deviceInfoSchema, deviceStateSchema } from '../../model/device.ts';
import { diagnosisSchema } from '../../model/diagnosis.ts';
import { faultSchema } from '../../model/fault.ts';
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
  CheckResult: checkResultSchema,
  CommitsPage: commitsPageSchema,
  Comparison: comparisonSchema,
  CostsPage: costsPageSchema,
  DeviceHealth: judgedDeviceSchema,
  DeviceInfo: deviceInfoSchema,
  DeviceState: deviceStateSchema,
  DevicesPage: devicesPageSchema,
  Diagnosis: diagnosisSchema,
  Environment: environmentSchema,
  Fault: faultSchema,
  Floor: floorSchema,
  Health: healthSchema,
  HistoryKey: historyKeySchema,
  HistoryRun: historyRunSchema,
  KeysPage: keysPageSchema,
  LiveEvent: liveEventSchema,
  LostSeries: lostSeriesSchema,
  Measurement: measurementSchema,
  MeasurementSummary: measurementSummarySchema,
  Overview: overviewSchema,
  PointComparison: pointComparisonSchema,
  Problem: problemSchema,
  ProfileReport: profileReportSchema,
  ProfilesPage: profilesPageSchema,
  RunDetail: runDetailSchema,
  RunsPage: runsPageSchema,
  Samples: samplesSchema,
  Series: seriesSchema,
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
  Upload: uploadSchema,
  Uploaded: uploadedSchema,
  Variant: variantSchema,
};
