import { z } from 'zod';

import { predictionSchema } from '../../model/learn/advice.ts';
import { verificationSchema } from '../../model/correctness/verification.ts';
import { comparisonSchema } from '../../model/judge/comparison.ts';
import { deviceInfoSchema, deviceStateSchema } from '../../model/device/device.ts';
import { diagnosisSchema } from '../../model/profile/diagnosis.ts';
import { faultSchema } from '../../model/measure/fault.ts';
import { evidenceSchema, gateResultSchema, methodSchema } from '../../model/learn/gate.ts';
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
} from '../../model/history/history-api.ts';
import {
  historyKeySchema,
  historyRunSchema,
  judgedDeviceSchema,
  overviewSchema,
  trendChangeSchema,
  trendPointSchema,
  trendSchema,
} from '../../model/history/history.ts';
import { lessonSchema, lessonsSchema } from '../../model/learn/lesson.ts';
import { newNoteSchema, noteSchema, notesSchema } from '../../model/history/note.ts';
import { judgementErrorSchema, judgementSchema } from '../../model/queue/judgement.ts';
import { liveEventSchema } from '../../model/server/live-event.ts';
import {
  leaderboardSchema,
  problemsPageSchema,
  sourcesSchema,
  submissionAnswerSchema,
  submissionRequestSchema,
  submissionSchema,
} from '../../model/queue/queue.ts';
import { workAnswerSchema, workRequestSchema } from '../../model/queue/queue-work.ts';
import { profileReportSchema } from '../../model/profile/profile-report.ts';
import {
  binarySchema,
  ceilingSchema,
  environmentSchema,
  floorSchema,
  lostSeriesSchema,
  measurementSchema,
  samplesSchema,
  seriesSchema,
} from '../../model/measure/samples.ts';
import { sidesComparisonSchema } from '../../model/history/sides-comparison.ts';
import { sessionSchema, trySchema } from '../../model/learn/session.ts';
import { storedRunSchema } from '../../model/history/stored-run.ts';
import { trialSchema } from '../../model/tune/study.ts';
import { variantSchema } from '../../model/problem/variant.ts';

/** What is described once and referred to by name. */
export function namedSchemas() {
  const named = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) named.add(schema, { id });
  return named;
}

const NAMED: Readonly<Record<string, z.ZodType>> = {
  Binary: binarySchema,
  Verification: verificationSchema,
  Ceiling: ceilingSchema,
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
  Judgement: judgementSchema,
  JudgementError: judgementErrorSchema,
  KeysPage: keysPageSchema,
  Leaderboard: leaderboardSchema,
  Lesson: lessonSchema,
  Lessons: lessonsSchema,
  LiveEvent: liveEventSchema,
  LostSeries: lostSeriesSchema,
  Measurement: measurementSchema,
  MeasurementSummary: measurementSummarySchema,
  Method: methodSchema,
  NewNote: newNoteSchema,
  Note: noteSchema,
  Notes: notesSchema,
  Overview: overviewSchema,
  PointComparison: pointComparisonSchema,
  Prediction: predictionSchema,
  Problem: problemSchema,
  ProblemsPage: problemsPageSchema,
  ProfileReport: profileReportSchema,
  ProfilesPage: profilesPageSchema,
  RunDetail: runDetailSchema,
  RunsPage: runsPageSchema,
  Samples: samplesSchema,
  Series: seriesSchema,
  Session: sessionSchema,
  SessionsPage: sessionsPageSchema,
  SidesComparison: sidesComparisonSchema,
  Sources: sourcesSchema,
  StoredMeasurement: storedMeasurementSchema,
  StoredProfile: storedProfileSchema,
  StoredRun: storedRunSchema,
  StoredStudy: storedStudySchema,
  StudiesPage: studiesPageSchema,
  Submission: submissionSchema,
  SubmissionAnswer: submissionAnswerSchema,
  SubmissionRequest: submissionRequestSchema,
  Trend: trendSchema,
  TrendChange: trendChangeSchema,
  TrendPoint: trendPointSchema,
  Trial: trialSchema,
  Try: trySchema,
  Upload: uploadSchema,
  Uploaded: uploadedSchema,
  Variant: variantSchema,
  WorkAnswer: workAnswerSchema,
  WorkRequest: workRequestSchema,
};
