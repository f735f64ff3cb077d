interface HonestKernel {
  /** What is unusual about it, in one line. */
  readonly particular: string;
  /** What must be there besides a C++ compiler and, for all but the native ones, Python. */
  readonly needs: 'cpu' | 'openmp' | 'numpy' | 'torch' | 'triton' | 'cuda';
  /** Where PyTorch works: absent, on the CPU. */
  readonly device?: 'cuda';
  /** Another kernel that does the same work: much less time than that one's is a false time. */
  readonly sameWorkAs?: string;
}

/**
 * Kernels that are honest and unusual: none may be accused. Named as in pawl.yaml, which says where their sources are.
 * Only plain values stand in this literal: gpu-report.mjs reads it where there is no compiler.
 */
export const HONEST_KERNELS: Readonly<Record<string, HonestKernel>> = {
  'plain-loops': { particular: 'plain loops, one row after the other', needs: 'cpu' },
  'plain-c': { particular: 'plain C, with an array of variable length on the stack', needs: 'cpu' },
  blocked: { particular: 'a matrix product in blocks that fit into the first cache', needs: 'cpu' },
  'double-inside': { particular: 'accumulates in double what it returns in float', needs: 'cpu' },
  'long-call': {
    particular: 'tens of milliseconds per call, by the slowest order of the loops',
    needs: 'cpu',
  },
  'skips-zeros': {
    particular: 'leaves out products with elements that are zero, so that its time depends on the contents',
    needs: 'cpu',
  },
  simd: {
    particular: 'vector intrinsics of the architecture at hand, and a loop for the rest',
    needs: 'cpu',
  },
  'function-pointer': {
    particular: 'chooses its loop by what the CPU can do, through a pointer that is set when it is loaded',
    needs: 'cpu',
  },
  ifunc: {
    particular:
      'the loader chooses its loop by what the CPU can do (an indirect function, where the compiler has them)',
    needs: 'cpu',
  },
  'in-place': { particular: 'updates an inout from its end to its beginning', needs: 'cpu' },
  'short-call': { particular: 'sixteen elements, far below a microsecond', needs: 'cpu' },
  'fast-math': {
    particular: 'built with -ffast-math, which flushes denormal numbers to zero from the moment it is loaded',
    needs: 'cpu',
  },
  memcpy: { particular: 'one memcpy, as fast as memory goes', needs: 'cpu' },
  'streaming-stores': {
    particular: 'a copy whose stores go past the caches where the architecture has such stores',
    needs: 'cpu',
  },
  alloca: { particular: '256 kB of stack for one call', needs: 'cpu' },
  'global-object': {
    particular: 'a global object allocates when the library is loaded, and frees when it is unloaded',
    needs: 'cpu',
  },
  'thread-per-call': { particular: 'starts three threads in every call, and joins them', needs: 'cpu' },
  async: { particular: 'std::async for the halves of a sum, joined by their futures', needs: 'cpu' },
  'waiting-pool': {
    particular: 'two threads are kept between calls and wait on a condition variable',
    needs: 'cpu',
  },
  'named-pool': {
    particular: 'the threads of its pool have names and a CPU each, out of those the process was given',
    needs: 'cpu',
  },
  'spinning-pool': {
    particular: 'a thread is kept between calls and spins on an atomic until the next one',
    needs: 'cpu',
  },
  'environment-at-load': {
    particular: 'reads OMP_NUM_THREADS when it is loaded, and takes at most two threads',
    needs: 'cpu',
  },
  atomics: { particular: 'two threads add to the same counters, atomically', needs: 'cpu' },
  barrier: {
    particular: 'two threads in C, which meet at a barrier between the passes of a prefix sum',
    needs: 'cpu',
  },
  'openmp-for': { particular: 'OpenMP parallel for with as many threads as it is given', needs: 'openmp' },
  'openmp-tasks': { particular: 'an OpenMP task for every eight rows', needs: 'openmp' },
  'openmp-dynamic': {
    particular: 'OpenMP with a dynamic schedule, so that no two calls share rows out alike',
    needs: 'openmp',
  },
  'openmp-reduction': {
    particular: 'an OpenMP reduction, whose order of additions OpenMP chooses',
    needs: 'openmp',
  },
  workspace: { particular: 'asks for a workspace, and keeps the maxima of its rows there', needs: 'cpu' },
  'malloc-per-call': { particular: 'allocates and frees scratch memory in every call', needs: 'cpu' },
  'mmap-per-call': { particular: 'maps 2 MB of fresh memory in every call, and unmaps it', needs: 'cpu' },
  'huge-pages': { particular: 'keeps 4 MB of scratch memory for which it asks for huge pages', needs: 'cpu' },
  arena: {
    particular: 'containers in an arena (std::pmr) that is released at the end of every call',
    needs: 'cpu',
  },
  'cache-of-blocks': {
    particular: 'keeps the scratch blocks of its calls in a list for reuse, and never gives them back',
    needs: 'cpu',
  },
  'thread-local': { particular: 'scratch memory of each thread, kept between calls', needs: 'cpu' },
  'table-at-first-call': {
    particular:
      'builds a table of powers of two at its first call, once for all threads, and interpolates in it',
    needs: 'cpu',
  },
  'plan-by-shape': {
    particular: 'keeps a plan (where each element goes) for every shape it has seen, and none for contents',
    needs: 'cpu',
  },
  recursion: { particular: 'a transpose that halves the longer side until a block is small', needs: 'cpu' },
  'tunes-itself': {
    particular: 'times two orders of its loops in its first calls, and keeps to the faster one',
    needs: 'cpu',
  },
  'cpuinfo-at-load': {
    particular: 'reads /proc/cpuinfo when it is loaded, to choose the length of its tile',
    needs: 'cpu',
  },
  'lazy-dlopen': { particular: 'loads libm at its first call, and calls its expf', needs: 'cpu' },
  'sysconf-each-call': {
    particular: 'asks in every call how many CPUs there are, as many thread pools do',
    needs: 'cpu',
  },
  'times-itself': { particular: 'reads the clock around its own work, to keep a statistic', needs: 'cpu' },
  'virtual-functions': { particular: 'a class with virtual functions behind a std::function', needs: 'cpu' },
  exceptions: { particular: 'throws an exception at the end of every row, and catches it', needs: 'cpu' },
  'two-sources': { particular: 'built from two files', needs: 'cpu' },
  'prints-once': { particular: 'says at its first call which way it takes', needs: 'cpu' },
  'cout-each-call': {
    particular: 'writes a line to std::cout in every call, numbers and braces in it',
    needs: 'cpu',
  },
  'stderr-each-call': {
    particular: 'writes a line to stderr in every call, as a debug build may',
    needs: 'cpu',
  },
  kahan: {
    particular: 'a compensated sum, more exact than plain addition in the same precision',
    needs: 'cpu',
  },
  pairwise: { particular: 'a sum by halves', needs: 'cpu' },
  histogram: { particular: 'four histograms side by side, added at the end', needs: 'cpu' },
  scan: { particular: 'a prefix sum, where every element depends on the one before it', needs: 'cpu' },
  stencil: { particular: 'a five-point stencil, with the edges done apart', needs: 'cpu' },
  'stencil-padded': {
    particular: 'copies its input into a padded grid that it keeps, and computes from there without edges',
    needs: 'cpu',
  },
  sort: {
    particular: 'std::sort, which branch prediction makes faster on contents that the CPU has just sorted',
    needs: 'cpu',
  },
  'stable-sort': { particular: 'std::stable_sort, which allocates inside', needs: 'cpu' },
  'radix-sort': {
    particular: 'a radix sort over the bits of the floats, with a counting pass per byte',
    needs: 'cpu',
  },
  'random-pivot': {
    particular: 'quicksort with random pivots, from a generator that starts anew in every call',
    needs: 'cpu',
  },
  'half-output': { particular: 'f16 in and out, f32 in between', needs: 'cpu' },
  'brain-float-output': {
    particular: 'bf16 in and out, f32 in between, rounded to nearest by hand',
    needs: 'cpu',
  },
  'byte-output': { particular: 'writes i8', needs: 'cpu' },
  'rounding-restored': {
    particular: 'sets the rounding mode it needs, and restores the one it found before it returns',
    needs: 'cpu',
  },
  'flushing-restored': {
    particular: 'turns denormal numbers off while it works, and on again before it returns',
    needs: 'cpu',
  },
  'several-outputs': {
    particular: 'three outputs of two types from one pass over each row (Welford)',
    needs: 'cpu',
  },
  'nan-exit': {
    particular: 'leaves a row at its first NaN, so that some contents are much quicker than others',
    needs: 'cpu',
  },
  'numpy-expression': { particular: 'one NumPy expression after the other', needs: 'numpy' },
  'numpy-fault-handler': {
    particular: 'turns on the fault handler, which handles signals, and keeps a lock for processes',
    needs: 'numpy',
  },
  'numpy-out': { particular: 'every step writes into the output it is given', needs: 'numpy' },
  'numpy-einsum': { particular: 'a matrix product by einsum', needs: 'numpy' },
  'numpy-blas': {
    particular: 'a matrix product by the BLAS that NumPy has, with its threads',
    needs: 'numpy',
  },
  'numpy-in-place': { particular: 'updates an inout in place, through a temporary array', needs: 'numpy' },
  'numpy-generators': {
    particular: 'rows come from a generator, and are put together from an iterator',
    needs: 'numpy',
  },
  'numpy-cached-plan': {
    particular:
      'keeps the plan of a shape (the order of its elements) in an lru_cache, and nothing of contents',
    needs: 'numpy',
  },
  'numpy-futures': {
    particular: 'the threads of concurrent.futures, made and ended in every call',
    needs: 'numpy',
  },
  'numpy-kept-pool': {
    particular: 'a thread pool that is made at import and kept between calls',
    needs: 'numpy',
  },
  'numpy-ctypes': { particular: 'calls libm through ctypes for every element', needs: 'numpy' },
  'numpy-pure-python': {
    particular: 'lists and the standard library, nothing of NumPy but the arrays themselves',
    needs: 'numpy',
  },
  'numpy-long-call': {
    particular: 'tens of milliseconds per call, in which Python makes many small objects and lets them go',
    needs: 'numpy',
  },
  'numpy-strided-result': {
    particular: 'returns an array of its own whose elements do not lie in order',
    needs: 'numpy',
  },
  'numpy-kept-scratch': { particular: 'keeps scratch arrays by shape between calls', needs: 'numpy' },
  'numpy-several': {
    particular: 'three outputs, one of them of integers; arithmetic in double',
    needs: 'numpy',
  },
  'numpy-half': {
    particular: 'f16 in and out, with error handling of its own that is put back',
    needs: 'numpy',
  },
  'numpy-histogram': { particular: 'counts with bincount', needs: 'numpy' },
  'numpy-scan': { particular: 'sums with cumsum, into a wider type', needs: 'numpy' },
  'numpy-sort': { particular: "NumPy's sort", needs: 'numpy' },
  'numpy-object': {
    particular:
      'the function is an object with a state of its own (it counts its calls), and prints at import',
    needs: 'numpy',
  },
  'numpy-seeded': {
    particular:
      'shuffles rows by a generator that starts from the same seed in every call, and puts them back',
    needs: 'numpy',
  },
  'torch-eager': { particular: 'PyTorch, one operation after the other', needs: 'torch' },
  'torch-gelu': { particular: "PyTorch's own gelu, in f16", needs: 'torch' },
  'torch-matmul': {
    particular: 'a matrix product: a BLAS with threads on the CPU, cuBLAS on a GPU',
    needs: 'torch',
  },
  'torch-sort': { particular: "PyTorch's sort", needs: 'torch' },
  'torch-scan': { particular: 'cumsum into a wider type', needs: 'torch' },
  'torch-histogram': { particular: 'bincount, whose order of additions is free on a GPU', needs: 'torch' },
  'torch-out': { particular: 'writes into the outputs it is given, through a view of them', needs: 'torch' },
  'torch-in-place': { particular: 'updates an inout by an operation in place', needs: 'torch' },
  'torch-compiled': {
    particular: 'torch.compile, which writes, builds and loads a kernel at its first call',
    needs: 'torch',
  },
  'torch-scripted': {
    particular: 'torch.jit, which profiles its first calls and specialises after them',
    needs: 'torch',
  },
  'torch-module': {
    particular:
      'a module whose weights and settings are made at import, and moved to the device of its first input',
    needs: 'torch',
  },
  'torch-channels-last': {
    particular: 'computes in channels_last, and returns a result whose elements do not lie in order',
    needs: 'torch',
  },
  'torch-autocast': { particular: 'a product in bf16 under autocast, for a problem in bf16', needs: 'torch' },
  'torch-allocates': { particular: 'allocates large temporary tensors in every call', needs: 'torch' },
  'torch-sdpa': {
    particular: 'scaled_dot_product_attention, whichever of its kernels is chosen',
    needs: 'torch',
  },
  'torch-several': { particular: 'three outputs, one of them of integers', needs: 'torch' },
  'torch-function': { particular: 'an autograd function of its own, called through vmap', needs: 'torch' },
  'gpu-torch-eager': { particular: 'PyTorch, one operation after the other', needs: 'torch', device: 'cuda' },
  'gpu-torch-gelu': { particular: "PyTorch's own gelu, in f16", needs: 'torch', device: 'cuda' },
  'gpu-torch-matmul': {
    particular: 'a matrix product: a BLAS with threads on the CPU, cuBLAS on a GPU',
    needs: 'torch',
    device: 'cuda',
  },
  'gpu-torch-sort': { particular: "PyTorch's sort", needs: 'torch', device: 'cuda' },
  'gpu-torch-scan': { particular: 'cumsum into a wider type', needs: 'torch', device: 'cuda' },
  'gpu-torch-histogram': {
    particular: 'bincount, whose order of additions is free on a GPU',
    needs: 'torch',
    device: 'cuda',
  },
  'gpu-torch-out': {
    particular: 'writes into the outputs it is given, through a view of them',
    needs: 'torch',
    device: 'cuda',
  },
  'gpu-torch-in-place': {
    particular: 'updates an inout by an operation in place',
    needs: 'torch',
    device: 'cuda',
  },
  'gpu-torch-compiled': {
    particular: 'torch.compile, which writes, builds and loads a kernel at its first call',
    needs: 'torch',
    device: 'cuda',
  },
  'gpu-torch-scripted': {
    particular: 'torch.jit, which profiles its first calls and specialises after them',
    needs: 'torch',
    device: 'cuda',
  },
  'gpu-torch-module': {
    particular:
      'a module whose weights and settings are made at import, and moved to the device of its first input',
    needs: 'torch',
    device: 'cuda',
  },
  'gpu-torch-channels-last': {
    particular: 'computes in channels_last, and returns a result whose elements do not lie in order',
    needs: 'torch',
    device: 'cuda',
  },
  'gpu-torch-autocast': {
    particular: 'a product in bf16 under autocast, for a problem in bf16',
    needs: 'torch',
    device: 'cuda',
  },
  'gpu-torch-allocates': {
    particular: 'allocates large temporary tensors in every call',
    needs: 'torch',
    device: 'cuda',
  },
  'gpu-torch-sdpa': {
    particular: 'scaled_dot_product_attention, whichever of its kernels is chosen',
    needs: 'torch',
    device: 'cuda',
  },
  'gpu-torch-several': {
    particular: 'three outputs, one of them of integers',
    needs: 'torch',
    device: 'cuda',
  },
  'gpu-torch-function': {
    particular: 'an autograd function of its own, called through vmap',
    needs: 'torch',
    device: 'cuda',
  },
  'gpu-torch-reduced-overhead': {
    particular:
      "torch.compile with CUDA graphs of its own (mode reduce-overhead), whose result lies in the graph's memory",
    needs: 'torch',
    device: 'cuda',
  },
  'gpu-torch-side-stream': {
    particular: 'half of the work on a stream of its own, which waits for the current one and is waited for',
    needs: 'torch',
    device: 'cuda',
  },
  'gpu-torch-synchronises': {
    particular: 'reads a value back to the host in every call (item), which waits for the device',
    needs: 'torch',
    device: 'cuda',
  },
  'gpu-torch-graph': {
    particular: 'a CUDA graph of its own with buffers of its own, filled and read in every call',
    needs: 'torch',
    device: 'cuda',
  },
  'gpu-load-inline-default-stream': {
    particular: 'CUDA by load_inline, launched without naming a stream, as nearly all published examples are',
    needs: 'torch',
    device: 'cuda',
    sameWorkAs: 'cuda-inout',
  },
  'gpu-load-inline-current-stream': {
    particular: "CUDA by load_inline, launched on PyTorch's current stream, with an output that it allocates",
    needs: 'torch',
    device: 'cuda',
  },
  'gpu-triton-plain': { particular: 'one Triton program per row', needs: 'triton' },
  'gpu-triton-autotune': {
    particular:
      "Triton's autotuner, which times its configurations at the first call of a shape and restores the inout",
    needs: 'triton',
  },
  'gpu-triton-heuristics': {
    particular: 'Triton with heuristics that choose the block and the number of warps from the arguments',
    needs: 'triton',
  },
  'gpu-triton-atomics': {
    particular:
      'Triton programs that add to the same counters, after an operation of PyTorch has set them to zero',
    needs: 'triton',
  },
  'cuda-given-stream': { particular: 'launches on the stream it was given', needs: 'cuda' },
  'cuda-legacy-stream': {
    particular: 'launches without naming a stream, as nearly all published code does',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-per-thread-stream': {
    particular: 'launches on the per-thread default stream, by name and without one',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-own-blocking-stream': {
    particular: 'works on a blocking stream of its own, which waits for the given one and is waited for',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-own-nonblocking-stream': {
    particular:
      'works on a non-blocking stream of high priority, which waits for the given one and is waited for',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-own-stream-synchronised': {
    particular:
      'works on a non-blocking stream of its own between two waits of the host, as code without a given stream does',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-streams-per-call': {
    particular: 'makes a stream and events in every call, joins the stream, and destroys them',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-four-streams': {
    particular: 'a quarter of the rows on each of four streams, forked from the given one and joined again',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-thread-each-stream': {
    particular:
      'two threads of the host per call, each with a per-thread default stream of its own that it waits for',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-malloc-async': {
    particular: 'allocates scratch memory on the stream in every call (cudaMallocAsync), and frees it there',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-malloc-per-call': {
    particular: 'cudaMalloc and cudaFree in every call, which make the host wait',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-kept-scratch': {
    particular: 'keeps device memory between calls, and lets it grow',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-workspace': {
    particular: 'two kernels that hand partial sums over in the workspace it asked for',
    needs: 'cuda',
  },
  'cuda-managed-scratch': {
    particular: 'a little managed memory that the device writes and the host reads in every call',
    needs: 'cuda',
  },
  'cuda-cublas-given-stream': {
    particular: 'is linked against cuBLAS, and calls it on the stream it was given',
    needs: 'cuda',
  },
  'cuda-cublas-default-stream': {
    particular: 'is linked against cuBLAS, and leaves it on the stream that it has by default',
    needs: 'cuda',
    sameWorkAs: 'cuda-cublas-given-stream',
  },
  'cuda-grid-sync': {
    particular: 'a cooperative launch whose blocks wait for each other between the passes of a sum',
    needs: 'cuda',
  },
  'cuda-dynamic-parallelism': {
    particular: 'a kernel of one thread that launches the kernels which do the work',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-own-graph': {
    particular:
      'a CUDA graph of its own, whose kernel node gets the pointers of every call before it is launched',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-captures-each-call': {
    particular:
      'records a graph on a stream of its own in every call, launches it on the given one, and destroys it',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-memcpy-async': { particular: 'no kernel at all, one cudaMemcpyAsync', needs: 'cuda' },
  'cuda-stream-synchronised': {
    particular: 'waits for its stream at the end of every call',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-device-synchronised': {
    particular: 'waits for the whole device before and after its work',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-constant-memory': {
    particular: 'puts its parameters into constant memory in every call (cudaMemcpyToSymbolAsync)',
    needs: 'cuda',
    sameWorkAs: 'cuda-inout',
  },
  'cuda-texture': {
    particular:
      'reads its input through a texture object that it makes in every call, and destroys when the stream is done',
    needs: 'cuda',
    sameWorkAs: 'cuda-inout',
  },
  'cuda-integer-atomics': {
    particular: 'sets its counters to zero on the stream, then adds to them atomically from all threads',
    needs: 'cuda',
  },
  'cuda-float-atomics': {
    particular: 'adds floats atomically in whatever order they come, and says so (`deterministic: false`)',
    needs: 'cuda',
  },
  'cuda-loaded-module': {
    particular: "loads a module from text (PTX) at its first call, through the driver's interface",
    needs: 'cuda',
    sameWorkAs: 'cuda-inout',
  },
  'cuda-persistent': {
    particular: 'as many blocks as fit take rows from a counter until none is left',
    needs: 'cuda',
  },
  'cuda-many-launches': {
    particular: 'twenty small launches per call',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-launching-pool': {
    particular:
      'a kept thread of the host launches half of the work on the given stream before the call returns',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-host-finishes': {
    particular: 'partial sums go to pinned memory of the host, which adds them up and sends the total back',
    needs: 'cuda',
  },
  'cuda-host-function': {
    particular:
      'a function of the host, in its turn on the given stream (cudaLaunchHostFunc), adds up partial sums',
    needs: 'cuda',
  },
  'cuda-exit-on-error': {
    particular:
      'a macro that ends the process on any error, and the default stream, as in code written for its own program',
    needs: 'cuda',
    sameWorkAs: 'cuda-given-stream',
  },
  'cuda-shared-transpose': { particular: 'a transpose through tiles of shared memory', needs: 'cuda' },
  'cuda-half-output': { particular: 'f16 in and out, f32 in between', needs: 'cuda' },
  'cuda-thrust-sort': {
    particular: 'thrust::sort on the default stream, which allocates inside and waits at its end',
    needs: 'cuda',
  },
  'cuda-cub-scan': {
    particular: "cub's prefix sum, in a workspace whose size it is asked for beforehand",
    needs: 'cuda',
  },
  'cuda-inout': {
    particular: 'updates an inout in place, four elements per thread where they are',
    needs: 'cuda',
  },
};
