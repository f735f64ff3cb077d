/**
 * The foreign kernels that are timed beside Triton's tools: name, file in a checkout, and constants of the file that are
 * set to other values, so that no tensor is much above 256 MB. Of larger ones, times depend on where the driver puts
 * them (docs/results/h200/timed-copies.md). `candidate` is the solution that is timed, else it is the file's own model; `of`
 * is the case of a task.
 */
const elementwise = [
  '19_ReLU',
  '20_LeakyReLU',
  '21_Sigmoid',
  '22_Tanh',
  '23_Softmax',
  '24_LogSoftmax',
  '25_Swish',
  '26_GELU_',
  '27_SELU_',
  '28_HardSigmoid',
  '29_Softplus',
  '30_Softsign',
  '31_ELU',
  '32_HardTanh',
].map((file) => ({ file, constants: { dim: '16384' } }));

const products = [
  '1_Square_matrix_multiplication_',
  '2_Standard_matrix_multiplication_',
  '8_Matmul_with_irregular_shapes_',
  '10_3D_tensor_matrix_multiplication',
  '12_Matmul_with_diagonal_matrices_',
  '13_Matmul_for_symmetric_matrices',
  '14_Matmul_for_upper_triangular_matrices',
  '16_Matmul_with_transposed_A',
  '17_Matmul_with_transposed_B',
  '18_Matmul_with_transposed_both',
].map((file) => ({ file, constants: {} }));

const others = [
  { file: '11_4D_tensor_matrix_multiplication', constants: { b: '1' } },
  { file: '3_Batched_matrix_multiplication', constants: { batch_size: '32' } },
  { file: '4_Matrix_vector_multiplication_', constants: { K: '32768' } },
  { file: '33_BatchNorm', constants: { batch_size: '4' } },
  { file: '34_InstanceNorm', constants: { batch_size: '4' } },
  { file: '35_GroupNorm_', constants: { batch_size: '4' } },
  { file: '36_RMSNorm_', constants: { batch_size: '4' } },
  { file: '40_LayerNorm', constants: {} },
  { file: '41_Max_Pooling_1D', constants: { batch_size: '4' } },
  { file: '42_Max_Pooling_2D', constants: { batch_size: '4' } },
  { file: '44_Average_Pooling_1D', constants: { batch_size: '4' } },
  { file: '47_Sum_reduction_over_a_dimension', constants: { batch_size: '4' } },
  { file: '49_Max_reduction_over_a_dimension', constants: { batch_size: '4' } },
  { file: '50_conv_standard_2D__square_input__square_kernel', constants: {} },
  { file: '53_Min_reduction_over_a_dimension', constants: { batch_size: '4' } },
  { file: '82_conv_depthwise_2D_square_input_square_kernel', constants: { batch_size: '4' } },
  { file: '88_MinGPTNewGelu', constants: {} },
  { file: '89_cumsum', constants: { batch_size: '2048' } },
  { file: '94_MSELoss', constants: { batch_size: '2048' } },
  { file: '95_CrossEntropyLoss', constants: { batch_size: '16384' } },
];

const models = [...products, ...elementwise, ...others].map(({ file, constants }) => ({
  name: `kb-${file.replace(/_+$/u, '')}`,
  suite: 'kernelbench',
  file: `KernelBench/level1/${file}.py`,
  constants,
}));

const PROMPTS = 'src/kernelbench/prompts';
const candidates = [
  { name: 'new-add-cuda', example: 'few_shot/model_ex_add', candidate: 'few_shot/model_new_ex_add' },
  {
    name: 'new-tiled_matmul-cuda',
    example: 'few_shot/model_ex_tiled_matmul',
    candidate: 'few_shot/model_new_ex_tiled_matmul',
  },
  {
    name: 'new-fuse_gelu-cuda',
    example: 'few_shot/model_ex_fuse_gelu',
    candidate: 'few_shot/model_new_ex_fuse_gelu',
  },
  { name: 'new-add-triton', example: 'model_ex_add', candidate: 'model_new_ex_add_triton' },
].map(({ name, example, candidate }) => ({
  name,
  suite: 'kernelbench',
  file: `${PROMPTS}/${example}.py`,
  candidate: `${PROMPTS}/${candidate}.py`,
}));

const tutorials = [
  {
    file: '01-vector-add',
    function: 'add',
    shapes: { x: 'n', y: 'n', out: 'n' },
    size: 'n=33554432',
  },
  {
    file: '02-fused-softmax',
    function: 'softmax',
    shapes: { x: 'rows,cols', out: 'rows,cols' },
    size: 'rows=16384,cols=2048',
  },
  {
    file: '03-matrix-multiplication',
    function: 'matmul',
    shapes: { a: 'm,k:f16', b: 'k,n:f16', out: 'm,n:f16' },
    size: 'm=4096,n=4096,k=4096',
  },
].map(({ file, function: called, shapes, size }) => ({
  name: `triton-${file}`,
  suite: 'triton',
  file: `python/tutorials/${file}.py`,
  function: called,
  shapes,
  size,
}));

const tasks = [
  { task: 'vectoradd_py', of: 'benchmark_4' },
  { task: 'vectorsum_py', of: 'benchmark_6' },
  { task: 'matmul_py', of: 'benchmark_8' },
  { task: 'grayscale_py', of: 'benchmark_4' },
  { task: 'conv2d_py', of: 'benchmark_1' },
  { task: 'histogram_py', of: 'benchmark_6' },
].map(({ task, of }) => ({
  name: `gpumode-${task}`,
  suite: 'gpumode',
  file: `problems/pmpp_v2/${task}/task.yml`,
  of,
}));

export const FOREIGN = [...models, ...candidates, ...tutorials, ...tasks];
