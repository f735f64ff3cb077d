import { z } from 'zod';

import { comparisonSchema } from '../../model/comparison.ts';
import {
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
  deviceHealthSchema,
  historyKeySchema,
  historyRunSchema,
  overviewSchema,
  trendChangeSchema,
  trendPointSchema,
  trendSchema,
} from '../../model/history.ts';
import { liveEventSchema } from '../../model/live-event.ts';
import { profileReportSchema } from '../../model/profile-report.ts';
import { samplesSchema } from '../../model/samples.ts';
import { storedRunSchema } from '../../model/stored-run.ts';
import { trialSchema } from '../../model/study.ts';

/** What is described once and referred to by name. */
export function namedSchemas() {
  const named = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) named.add(schema, { id });
  return named;
}

const NAMED: Readonly<Record<string, z.ZodType>> = {
  Comparison: comparisonSchema,
  CostsPage: costsPageSchema,
  DeviceHealth: deviceHealthSchema,
  DevicesPage: devicesPageSchema,
  Health: healthSchema,
  HistoryKey: historyKeySchema,
  HistoryRun: historyRunSchema,
  KeysPage: keysPageSchema,
  LiveEvent: liveEventSchema,
  MeasurementSummary: measurementSummarySchema,
  Overview: overviewSchema,
  PointComparison: pointComparisonSchema,
  Problem: problemSchema,
  ProfileReport: profileReportSchema,
  ProfilesPage: profilesPageSchema,
  RunDetail: runDetailSchema,
  RunsPage: runsPageSchema,
  Samples: samplesSchema,
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
};
