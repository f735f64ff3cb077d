/**
 * `pawl`: the workflows that the CLI calls, for programs. Nothing here prints or exits; expected failures are
 * exceptions of the class `PawlError`.
 */
export { PawlError } from './model/pawl-error.ts';
export type { FailureKind } from './model/pawl-error.ts';
export type { OnProgress, Progress } from './model/measure/progress.ts';
export type { AdoptReport } from './model/reports/adopt-report.ts';
export type { Advice } from './model/learn/advice.ts';
export type { Alert, AlertsReport, AlertsSent, AlertTest } from './model/server/alert.ts';
export type { BisectReport } from './model/reports/bisect-report.ts';
export type { CheckReport } from './model/reports/check-report.ts';
export type { Comparison } from './model/judge/comparison.ts';
export type { Verdict } from './model/judge/verdict.ts';
export type { Diagnosis } from './model/profile/diagnosis.ts';
export type { HistoryRun, Trend, TrendReport } from './model/history/history.ts';
export type { RunDetail } from './model/history/history-api.ts';
export type { Lesson, Lessons, Warning } from './model/learn/lesson.ts';
export type { PreflightReport } from './model/reports/preflight-report.ts';
export type { NewNote, Note, Notes } from './model/history/note.ts';
export type { ProfileReport } from './model/profile/profile-report.ts';
export type { Measurement, Samples, Series } from './model/measure/samples.ts';
export type { SidesComparison } from './model/history/sides-comparison.ts';
export type { Session, SessionSummary, Try } from './model/learn/session.ts';
export { PAWL_VERSION } from './model/version.ts';
export { adopt } from './workflows/adopt.ts';
export type { AdoptOptions } from './workflows/adopt.ts';
export { advise } from './workflows/advise.ts';
export type { AdviseOptions } from './workflows/advise.ts';
export { listAlerts, sendAlerts, testAlert } from './workflows/alerts.ts';
export type { AlertsOptions, SendAlertsOptions } from './workflows/alerts.ts';
export { bench } from './workflows/runs/bench.ts';
export type { BenchOptions, BenchOutcome } from './workflows/runs/bench.ts';
export { bisect } from './workflows/bisect.ts';
export type { BisectOptions } from './workflows/bisect.ts';
export { buildKernels } from './workflows/runs/build-kernels.ts';
export type { BuildKernelsOptions } from './workflows/runs/build-kernels.ts';
export { check } from './workflows/check.ts';
export type { CheckOutcome } from './workflows/check.ts';
export type { CheckOptions } from './workflows/check/check-options.ts';
export { claim } from './workflows/claim.ts';
export type { ClaimOptions } from './workflows/claim.ts';
export { judge, judgeBatch } from './workflows/judge.ts';
export type { BatchOutcome, JudgeBatchOptions } from './workflows/judge.ts';
export { Judge } from './workflows/runs/judge.ts';
export type { BuiltCandidate } from './workflows/runs/judge.ts';
export type { JudgeOptions } from './workflows/runs/judge/judge-options.ts';
export { submitCandidate, withQueue, work } from './workflows/queue.ts';
export type { QueueOptions, SubmitOptions, WorkOptions } from './workflows/queue.ts';
export { race } from './workflows/race.ts';
export type { RaceOptions } from './workflows/race.ts';
export { compare } from './workflows/runs/compare.ts';
export type { ComparedAndReported, CompareRequest } from './workflows/runs/compare.ts';
export {
  compareKernels,
  compareRevisions,
  compareVariants,
} from './workflows/runs/compare/compare-builds.ts';
export { compareFiles } from './workflows/runs/compare/compare-files.ts';
export type { CompareOutcome } from './workflows/runs/compare/compare-sides.ts';
export type { CompareOptions } from './workflows/runs/compare/hold-sides.ts';
export { bundle } from './workflows/bundle.ts';
export type { BundleOptions, BundleOutcome } from './workflows/bundle.ts';
export { cost, recordCost } from './workflows/cost.ts';
export type { CostOptions, RecordedRun } from './workflows/cost.ts';
export { compareProfileFiles, diagnoseFile } from './workflows/diagnose.ts';
export type { DiagnoseOptions } from './workflows/diagnose.ts';
export { showDevices } from './workflows/device.ts';
export type { DeviceOptions } from './workflows/device.ts';
export { applyFixes, runDoctor } from './workflows/runs/doctor.ts';
export type { DoctorOptions } from './workflows/runs/doctor.ts';
export { exportFile } from './workflows/export.ts';
export type { ExportOptions } from './workflows/export.ts';
export { exportTorch } from './workflows/export-torch.ts';
export type { ExportTorchOptions } from './workflows/export-torch.ts';
export type { TorchExportReport } from './model/reports/torch-export.ts';
export { fuzz } from './workflows/runs/fuzz.ts';
export type { FuzzOptions, FuzzOutcome } from './workflows/runs/fuzz.ts';
export {
  exportHistory,
  importHistory,
  listRuns,
  pruneHistory,
  pushHistory,
  showRun,
  verifyHistory,
} from './workflows/history.ts';
export type { HistoryOptions, ImportedHistory, ListedRuns, PruneOptions } from './workflows/history.ts';
export { compareStored } from './workflows/compare-sides.ts';
export type { CompareSidesOptions, SidesOutcome } from './workflows/compare-sides.ts';
export { addNote, listNotes, removeNote } from './workflows/notes.ts';
export type { AddNoteOptions } from './workflows/notes.ts';
export { importFiles } from './workflows/import.ts';
export type { Imported, ImportOptions } from './workflows/import.ts';
export { initGitHub } from './workflows/init-github.ts';
export type { InitGitHubOptions, InitGitHubResult } from './workflows/init-github.ts';
export { initProject } from './workflows/init.ts';
export type { InitOptions, InitResult } from './workflows/init.ts';
export { addLessonsFrom, matchKnownLessons, withdrawKnownLesson } from './workflows/lessons.ts';
export { listLessons, showLesson } from './workflows/list-lessons.ts';
export type { MatchOptions } from './workflows/lessons.ts';
export type { LessonFilter, ListedLessons } from './workflows/list-lessons.ts';
export { preflight } from './workflows/preflight.ts';
export type { PreflightOptions } from './workflows/preflight.ts';
export { profileKernel } from './workflows/runs/profile.ts';
export type { ProfileOptions } from './workflows/runs/profile.ts';
export { openProject, projectPlace, tryProject } from './workflows/project.ts';
export {
  advanceBaseline,
  advanceFromFiles,
  baselineLog,
  endWaiverEarly,
  resetEntries,
  showBaseline,
  signBaseline,
  verifyBaselineFile,
  waiveRegression,
} from './workflows/ratchet.ts';
export { restoreClocks } from './workflows/restore-clocks.ts';
export {
  annotateSession,
  endSession,
  evaluateGates,
  exportSession,
  listSessions,
  noteInSession,
  overrideGate,
  reportOnSession,
  revertTry,
  sessionStatus,
  startSession,
  tryChange,
} from './workflows/session.ts';
export { staticReport } from './workflows/static-report.ts';
export type { StaticReport, StaticReportOptions } from './workflows/static-report.ts';
export { thresholds } from './workflows/thresholds.ts';
export type { ThresholdsOptions } from './workflows/thresholds.ts';
export { trend } from './workflows/trend.ts';
export type { TrendOptions } from './workflows/trend.ts';
export { tuneSimulate } from './workflows/tune-simulate.ts';
export type { TuneSimulateOptions } from './workflows/tune-simulate.ts';
export { applyStudy, showStudy, tune } from './workflows/tune.ts';
export type { TuneOptions, TuneOutcome } from './workflows/tune.ts';
