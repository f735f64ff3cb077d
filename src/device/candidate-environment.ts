/**
 * The environment of whatever runs code of the project: compilers, runners, profilers, Python. Kernel code is hostile,
 * so it gets what toolchains need and nothing else: a token that it cannot see, it cannot send anywhere.
 */
import { isSecretName } from '../model/text/secret-name.ts';

/** Names that programs need to start, to find their libraries and to write their temporary files. */
const SYSTEM = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'XDG_CACHE_HOME',
];

/** Of compilers and linkers: the chapters on environment variables in gcc's, clang's and nvcc's manuals, and what makefiles use. */
const COMPILERS = [
  'CC',
  'CXX',
  'CFLAGS',
  'CXXFLAGS',
  'CPPFLAGS',
  'LDFLAGS',
  'CPATH',
  'C_INCLUDE_PATH',
  'CPLUS_INCLUDE_PATH',
  'COMPILER_PATH',
  'GCC_EXEC_PREFIX',
  'LIBRARY_PATH',
  'LD_LIBRARY_PATH',
  'PKG_CONFIG_PATH',
  'SOURCE_DATE_EPOCH',
  'NVCC',
  'CUDACXX',
  'MAX_JOBS',
  'PAWL_CCACHE',
  'PAWL_PYTHON',
];

/** Of Python and of libraries that read their settings when they are loaded. */
const LIBRARIES = [
  'VIRTUAL_ENV',
  'CONDA_PREFIX',
  'CONDA_DEFAULT_ENV',
  'CONDA_BUILD_SYSROOT',
  'MKLROOT',
  'GLIBC_TUNABLES',
];

const NAMES: ReadonlySet<string> = new Set([...SYSTEM, ...COMPILERS, ...LIBRARIES]);

/** Families of names, by their beginning. */
const FAMILIES =
  /^(?:LC_|CUDA_|NVIDIA_|NVCC_|OMP_|OPENBLAS_|MKL_|GOMP_|KMP_|BLIS_|MALLOC_|PYTHON|PYTORCH_|TORCH|TRITON_|CUTE_|CUTLASS_|CCACHE_|NIX_)/u;

/** `scheme://user:password@host`: a store, a package index, a proxy. */
const URL_WITH_PASSWORD = /:\/\/[^/\s@]*:[^/\s@]+@/u;

/**
 * What of `env` code of the project may see.
 *
 * @param named further names, by the project's pawl.yaml; one that looks like a secret stays away anyway
 */
export function candidateEnvironment(
  env: NodeJS.ProcessEnv,
  named: readonly string[] = [],
): Record<string, string> {
  const visible: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const isAllowed = NAMES.has(name) || FAMILIES.test(name) || named.includes(name);
    if (value === undefined || !isAllowed || isSecretName(name) || URL_WITH_PASSWORD.test(value)) continue;
    visible[name] = value;
  }
  return visible;
}

/** The same, for tools whose numbers and messages are read as the C locale writes them. */
export function environmentInC(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...candidateEnvironment(env), LC_ALL: 'C' };
}
