/** `pawl`: the workflows that the CLI calls, for programs. Nothing here prints or exits. */
export { PawlError } from './model/pawl-error.ts';
export type { FailureKind } from './model/pawl-error.ts';
export type { OnProgress, Progress } from './model/progress.ts';
export type { CheckReport } from './model/check-report.ts';
export type { Comparison, Verdict } from './model/comparison.ts';
export type { Diagnosis } from './model/diagnosis.ts';
export type { ProfileReport } from './model/profile-report.ts';
export type { Measurement, Samples, Series } from './model/samples.ts';
export { PAWL_VERSION } from './model/version.ts';
export { bench } from './workflows/bench.ts';
export type { BenchOptions, BenchOutcome } from './workflows/bench.ts';
export { buildKernels } from './workflows/build-kernels.ts';
export type { BuildKernelsOptions } from './workflows/build-kernels.ts';
export { check } from './workflows/check.ts';
export type { CheckOptions, CheckOutcome } from './workflows/check.ts';
export { claim } from './workflows/claim.ts';
export { compareFiles, compareRevisions, compareVariants } from './workflows/compare.ts';
export type { CompareOptions, CompareOutcome } from './workflows/compare.ts';
export { bundle } from './workflows/bundle.ts';
export type { BundleOptions, BundleOutcome } from './workflows/bundle.ts';
export { cost } from './workflows/cost.ts';
export type { CostOptions } from './workflows/cost.ts';
export { recordCost } from './workflows/cost-of-run.ts';
export type { RecordedRun } from './workflows/cost-of-run.ts';
export { compareProfileFiles, diagnoseFile } from './workflows/diagnose.ts';
export type { DiagnoseOptions } from './workflows/diagnose.ts';
export { showDevices } from './workflows/device.ts';
export type { DeviceOptions } from './workflows/device.ts';
export { applyFixes, runDoctor } from './workflows/doctor.ts';
export type { DoctorOptions } from './workflows/doctor.ts';
export { fuzz } from './workflows/fuzz.ts';
export type { FuzzOptions, FuzzOutcome } from './workflows/fuzz.ts';
export { initProject } from './workflows/init.ts';
export type { InitOptions, InitResult } from './workflows/init.ts';
export { profileKernel } from './workflows/profile.ts';
export type { ProfileOptions } from './workflows/profile.ts';
export { openProject } from './workflows/project.ts';
export {
  advanceBaseline,
  baselineLog,
  endWaiverEarly,
  resetEntries,
  showBaseline,
  signBaseline,
  verifyBaselineFile,
  waiveRegression,
} from './workflows/ratchet.ts';
