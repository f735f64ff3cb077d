/**
 * What a compiler of foreign sources may know of Pawl's environment: where programs and headers are, and its own
 * settings. A source that is read into an error message, or an `.incbin`, takes nothing else along.
 */
const NAMES = new Set([
  'PATH',
  'HOME',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'CPATH',
  'C_INCLUDE_PATH',
  'CPLUS_INCLUDE_PATH',
  'OBJC_INCLUDE_PATH',
  'LIBRARY_PATH',
  'LD_LIBRARY_PATH',
  'LD_RUN_PATH',
  'GCC_EXEC_PREFIX',
  'COMPILER_PATH',
  'GCC_COMPARE_DEBUG',
  'SOURCE_DATE_EPOCH',
  'DEPENDENCIES_OUTPUT',
  'SUNPRO_DEPENDENCIES',
  'CC',
  'CXX',
  'NVCC',
  'LOCALE_ARCHIVE',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'LM_LICENSE_FILE',
]);
const PREFIXES = ['LC_', 'NVCC_', 'CUDA', 'CCACHE_', 'NIX_', 'GCC_', 'CLANG_', 'LLVM_'];

export function compilerEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix)),
    ),
  );
}
