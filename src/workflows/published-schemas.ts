import { z } from 'zod';

import { configSchema } from '../config/schema.ts';
import { adoptReportSchema } from '../model/reports/adopt-report.ts';
import { adviceSchema } from '../model/learn/advice.ts';
import {
  ALERT_SCHEMA,
  ALERT_TEST_SCHEMA,
  alertSchema,
  ALERTS_SCHEMA,
  ALERTS_SENT_SCHEMA,
  alertsReportSchema,
  alertsSentSchema,
  alertTestSchema,
} from '../model/server/alert.ts';
import { baselineSchema } from '../model/judge/baseline.ts';
import { benchReportSchema } from '../model/reports/bench-report.ts';
import { bisectReportSchema } from '../model/reports/bisect-report.ts';
import { buildReportSchema } from '../model/reports/build-report.ts';
import { deviceReportSchema } from '../model/device/calibration.ts';
import { checkReportSchema } from '../model/reports/check-report.ts';
import { ciRunSchema } from '../model/reports/ci-run.ts';
import { comparisonSchema } from '../model/judge/comparison.ts';
import { corpusEntrySchema } from '../model/problem/corpus.ts';
import { costEntrySchema, costReportSchema } from '../model/device/cost.ts';
import { diagnosisSchema } from '../model/profile/diagnosis.ts';
import { doctorReportSchema } from '../model/reports/doctor-report.ts';
import { fuzzReportSchema } from '../model/correctness/fuzz-report.ts';
import { thresholdsReportSchema } from '../model/reports/thresholds-report.ts';
import { trendReportSchema, trendSchema } from '../model/history/history.ts';
import { methodSchema } from '../model/learn/gate.ts';
import { importReportSchema } from '../model/reports/import-report.ts';
import { judgementErrorSchema, judgementSchema } from '../model/queue/judgement.ts';
import { lessonsSchema } from '../model/learn/lesson.ts';
import { notesSchema } from '../model/history/note.ts';
import { preflightReportSchema } from '../model/reports/preflight-report.ts';
import { profileReportSchema } from '../model/profile/profile-report.ts';
import { QUEUE_PRUNE_SCHEMA, queuePrunedSchema } from '../model/queue/queue-prune.ts';
import { leaderboardSchema, queueStatusSchema, submissionSchema } from '../model/queue/queue.ts';
import { answerSchema, PROTOCOL_VERSION, requestSchema, resultSchemas } from '../model/measure/protocol.ts';
import { raceSchema } from '../model/judge/race.ts';
import { recordedSpaceSchema } from '../model/tune/recorded-space.ts';
import { samplesSchema } from '../model/measure/samples.ts';
import { simulationSchema } from '../model/tune/simulation.ts';
import { sidesComparisonSchema } from '../model/history/sides-comparison.ts';
import { sessionSchema } from '../model/learn/session.ts';
import { studySchema } from '../model/tune/study-report.ts';
import {
  TORCH_DISPATCH_SCHEMA,
  TORCH_EXPORT_SCHEMA,
  TORCH_PROOF_SCHEMA,
  torchDispatchSchema,
  torchExportReportSchema,
  torchProofSchema,
} from '../model/reports/torch-export.ts';
import { wakeConfigSchema, wakeStatusSchema } from '../model/server/wake.ts';

/** The JSON Schemas in docs/schemas/, by file name: the formats that others write and read. */
export function publishedSchemas(): Record<string, object> {
  return {
    'pawl-yaml.json': published(configSchema, 'pawl.yaml'),
    'samples.json': published(samplesSchema, 'pawl.samples/1'),
    'comparison.json': published(comparisonSchema, 'pawl.comparison/1'),
    'race.json': published(raceSchema, 'pawl.race/1'),
    'judgement.json': published(judgementSchema, 'pawl.judgement/1'),
    'judgement-error.json': published(judgementErrorSchema, 'pawl.judgement-error/1'),
    'submission.json': published(submissionSchema, 'pawl.submission/1'),
    'leaderboard.json': published(leaderboardSchema, 'pawl.leaderboard/1'),
    'queue.json': published(queueStatusSchema, 'pawl.queue/1'),
    'queue-prune.json': published(queuePrunedSchema, QUEUE_PRUNE_SCHEMA),
    'check.json': published(checkReportSchema, 'pawl.check/1'),
    'ci.json': published(ciRunSchema, 'pawl.ci/1'),
    'baseline.json': published(baselineSchema, 'pawl.baseline/1'),
    'bench.json': published(benchReportSchema, 'pawl.bench/1'),
    'build.json': published(buildReportSchema, 'pawl.build/1'),
    'adopt.json': published(adoptReportSchema, 'pawl.adopt/1'),
    'advice.json': published(adviceSchema, 'pawl.advice/1'),
    'diagnosis.json': published(diagnosisSchema, 'pawl.diagnosis/1'),
    'device.json': published(deviceReportSchema, 'pawl.device/1'),
    'doctor.json': published(doctorReportSchema, 'pawl.doctor/1'),
    'lessons.json': published(lessonsSchema, 'lessons.yaml, pawl.lessons/1'),
    'method.json': published(methodSchema, 'pawl.method/1'),
    'preflight.json': published(preflightReportSchema, 'pawl.preflight/1'),
    'session.json': published(sessionSchema, 'pawl.session/1'),
    'profile.json': published(profileReportSchema, 'pawl.profile/1'),
    'fuzz.json': published(fuzzReportSchema, 'pawl.fuzz/1'),
    'study.json': published(studySchema, 'pawl.study/1'),
    'simulation.json': published(simulationSchema, 'pawl.simulation/1'),
    'space.json': published(recordedSpaceSchema, 'A recorded space, pawl.space/1'),
    'torch-export.json': published(torchExportReportSchema, TORCH_EXPORT_SCHEMA),
    'torch-dispatch.json': published(torchDispatchSchema, TORCH_DISPATCH_SCHEMA),
    'torch-proof.json': published(torchProofSchema, TORCH_PROOF_SCHEMA),
    'import.json': published(importReportSchema, 'pawl.import/1'),
    'corpus.json': published(corpusEntrySchema, 'A line of a corpus, pawl.corpus/1'),
    'cost.json': published(costReportSchema, 'pawl.cost/1'),
    'cost-entry.json': published(costEntrySchema, 'A line of .pawl/costs.jsonl, pawl.cost-entry/1'),
    'thresholds.json': published(thresholdsReportSchema, 'pawl.thresholds/1'),
    'notes.json': published(notesSchema, 'pawl.notes/1'),
    'sides.json': published(sidesComparisonSchema, 'pawl.sides/1'),
    'trend.json': published(trendSchema, 'pawl.trend/1'),
    'trend-report.json': published(trendReportSchema, 'pawl.trend-report/1'),
    'alert.json': published(alertSchema, `The body of a webhook, ${ALERT_SCHEMA}`),
    'alerts.json': published(alertsReportSchema, ALERTS_SCHEMA),
    'alerts-sent.json': published(alertsSentSchema, ALERTS_SENT_SCHEMA),
    'alert-test.json': published(alertTestSchema, ALERT_TEST_SCHEMA),
    'bisect.json': published(bisectReportSchema, 'pawl.bisect/1'),
    'wake-yaml.json': published(wakeConfigSchema, 'wake.yaml'),
    'wake.json': published(wakeStatusSchema, 'pawl.wake/1'),
    'runner-request.json': published(requestLineSchema(), `A line to a runner, protocol ${PROTOCOL_VERSION}`),
    'runner-answer.json': published(answerLineSchema(), `A line from a runner, protocol ${PROTOCOL_VERSION}`),
  };
}

/** The input side: defaults may be left out, and a reader lets keys pass that it does not know. */
function published(schema: z.ZodType, title: string): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return { $schema, title, ...rest };
}

function requestLineSchema(): z.ZodType {
  const [first, ...others] = requestSchema.options.map((option) => option.extend({ id: z.int() }));
  if (first === undefined) throw new Error('the protocol has no requests');
  return z.union([first, ...others]);
}

function answerLineSchema(): z.ZodType {
  const [done, failed] = answerSchema.options;
  const result = z.union(Object.values(resultSchemas));
  return z.object({
    mac: z.string().regex(/^[0-9a-f]{64}$/),
    body: z.discriminatedUnion('ok', [done.extend({ result }), failed]),
  });
}
