import { PawlError } from '../../model/pawl-error.ts';

const EXPORT_HINT =
  'Export one with: ncu --import REPORT.ncu-rep --page raw --csv --print-units base > FILE.csv';

/** The driver refuses performance counters to users: `RmProfilingAdminOnly` in /proc/driver/nvidia/params. */
export function counterPermissionError(): PawlError {
  return new PawlError(
    'permission',
    'ncu was not allowed to read the GPU performance counters (ERR_NVGPUCTRPERM), so nothing was measured.',
    'Run ncu as root or with CAP_SYS_ADMIN (drivers from R565 on: CAP_PERFMON; in a container: ' +
      '`--cap-add=SYS_ADMIN`), or let every user read them: `options nvidia ' +
      'NVreg_RestrictProfilingToAdminUsers=0` in /etc/modprobe.d/ and a reboot. `pawl doctor` shows what is set.',
  );
}

/** What a text without a single launch in it is, as well as it can be told. */
export function noLaunchError(file: string, text: string, problems: readonly string[]): PawlError {
  const bad = (message: string, hint = EXPORT_HINT) => new PawlError('bad-data', message, hint);
  if (text.trim() === '') return bad(`${file} is empty.`);
  if (text.includes('ERR_NVGPUCTRPERM')) return counterPermissionError();
  const error = /^==ERROR==\s*(.+)$/m.exec(text)?.[1]?.trim();
  if (error !== undefined)
    return bad(`${file} does not contain a profile: ncu failed with "${error.slice(0, 200)}"`, CAPTURE_HINT);
  if (/^==WARNING== No kernels were profiled/m.test(text)) {
    return bad(`${file} does not contain a profile: ncu found no kernel to profile.`, FILTER_HINT);
  }
  if (problems.length > 0) {
    return bad(`${file} does not contain a readable launch: ${problems.slice(0, 3).join('; ')}.`);
  }
  if (/^\s*Section: /m.test(text)) return bad(`${file} is ncu's text output; Pawl needs the CSV.`);
  return bad(`${file} contains neither the raw page nor the details page of Nsight Compute.`);
}

const CAPTURE_HINT = 'Profile again; `pawl doctor` says what ncu needs.';
const FILTER_HINT =
  'Check the kernel filter (-k) and the launches skipped (-s): the program may launch fewer.';
