import { z } from 'zod';

import { isSecretName } from '../model/text/secret-name.ts';

/** A kernel that asked for a token by name would get it. */
export const variableSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/u, { error: 'is not the name of an environment variable' })
  .refine((name) => !isSecretName(name), {
    error: 'looks like a secret, which kernels must not see; give the variable another name',
  });

/**
 * Names that a kernel may not set for its process, and why. Until the kernel is loaded, that process is the judge's: an
 * empty one tells what a round trip costs and what memory it starts with, and nothing of the kernel's may run in it.
 */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:LD_|DYLD_|PYTHON|GLIBC_TUNABLES$|MALLOC_|GCONV_PATH$|CUDA_INJECTION|NVTX_INJECTION)/u,
    'loads code into the process, or alters it, before the kernel is loaded; name libraries in `links` ([-L…, -Wl,-rpath,…]), and modules beside the Python file',
  ],
  [
    /^(?:CUDA_VISIBLE_DEVICES|CUDA_DEVICE_ORDER|CUDA_MPS_.*|NVIDIA_.*)$/u,
    'chooses the device, which Pawl does',
  ],
  [/^(?:[A-Z]+SAN_OPTIONS|[A-Z]+SAN_SYMBOLIZER_PATH)$/u, 'is for sanitizers, which Pawl sets up'],
  [
    /^(?:PATH|HOME|TMPDIR|XDG_.*|TRITON_CACHE_DIR|TORCHINDUCTOR_CACHE_DIR|TORCH_EXTENSIONS_DIR|CUDA_CACHE_PATH|MPLCONFIGDIR|NUMBA_CACHE_DIR)$/u,
    'is set by Pawl, to the scratch folder of the process',
  ],
];

const nameSchema = variableSchema.superRefine((name, context) => {
  const refused = REFUSED.find(([pattern]) => pattern.test(name));
  if (refused !== undefined) context.addIssue({ code: 'custom', message: refused[1] });
});

/** A null character would end it. */
const valueSchema = z
  .union([z.string().max(4096), z.number(), z.boolean()])
  .transform(String)
  .refine((value) => !value.includes('\0'), { error: 'holds a null character' });

/** Variables of one kernel, for the process that runs it and for no other. */
export const envSchema = z
  .record(nameSchema, valueSchema)
  .default({})
  .describe('Environment variables that only the process of this kernel gets.');
