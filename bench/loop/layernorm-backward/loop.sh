# Layer norm, backward: llm.c dev/cuda/layernorm_backward.cu.
kernel=layernorm-backward case=gpt2_xl goal=1.3x
sources() { cp "$LOOP_SOURCES"/llm.c/{layernorm_backward.cu,common.h} .; }
adopt() {
  show pawl adopt layernorm_backward.cu --function layernorm_backward --tunable kernel_num=10,9,8,7 \
    --tunable block_size=512,256,128 --shape dinp=B,T,C --inout dinp --shape dweight=C --inout dweight --shape dbias=C \
    --inout dbias --workspace 'scratch=32*132*(2*C+1)' --shape dout=B,T,C --shape inp=B,T,C --shape weight=C \
    --shape mean=B,T --shape rstd=B,T --size B=8,T=1024,C=1600 --setup setup_main --flags="-O3 --use_fast_math"
}
tries() {
  local call='(dinp, dweight, dbias, scratch, dout, inp, weight, mean, rstd, B, T, C,'
  replace layernorm_backward "layernorm_backward_columns$call 3);" columns.cuh
  attempt --idea columns --predict 30% --anyway 'one change: who adds up a column' \
    --hypothesis 'sums of columns go through shared memory with two barriers per 256 columns of a row; a thread that keeps its columns needs one barrier per row'
  show pawl session check -q --wait 60
  replace layernorm_backward_columns "layernorm_backward_columns$call 2);"
  attempt --revert --idea blocks --predict 3% --hypothesis 'fewer blocks leave fewer parts for the second kernel'
  replace layernorm_backward_columns "layernorm_backward_columns$call 6);"
  attempt --revert --idea blocks --predict 3% --hypothesis 'two waves of blocks level what the last rows leave idle'
}
