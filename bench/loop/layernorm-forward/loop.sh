# Layer norm, forward: llm.c dev/cuda/layernorm_forward.cu.
kernel=layernorm-forward case=gpt2 goal=1.1x
sources() { cp "$LOOP_SOURCES"/llm.c/{layernorm_forward.cu,common.h} .; }
adopt() {
  show pawl adopt layernorm_forward.cu --function layernorm_forward --tunable kernel_num=6,5,3,4 \
    --tunable block_size=256,64,128,512 --shape out=B,T,C --shape mean=B,T --shape rstd=B,T --shape inp=B,T,C \
    --shape weight=C --shape bias=C --size B=8,T=1024,C=768 --flags="-O3 --use_fast_math"
}
tries() {
  local call='(out, mean, rstd, inp, weight, bias, B, T, C);'
  replace layernorm_forward "layernorm_in_registers<2, 4>$call" registers.cuh
  attempt --revert --idea registers --predict 15% --anyway 'one change: where a row is held' \
    --hypothesis 'a row goes through shared memory, and every block first waits for weights there; six vectors per lane fit into registers, and two rows per warp share the loads of weight and bias'
  replace layernorm_forward "layernorm_walking<8>$call" registers.cuh
  attempt --revert --idea walking --predict 12% --anyway 'one change: where a row is held, and what comes meanwhile' \
    --hypothesis 'warps that walk over rows load the next one while they reduce this one, and load weight and bias once'
}
# Each falls back to a published kernel where a row does not come in whole vectors of a warp.
rows_by() {
  local from=layernorm_forward
  grep -q '::launch' pawl_*.cu && from=if
  replace "$from" "if (!$2(out, mean, rstd, inp, weight, bias, B * T, C, 0)) layernorm_forward5(out, mean, rstd, inp, weight, bias, B, T, C, 256);" "$1"
}
tries_again() {
  rows_by at-once.cuh "${at_once:-at_once::launch<4, 1>}"
  attempt --revert --idea at-once --finding memory-bound --predict 5% --anyway 'one change: when a row and its weights are asked for' \
    --hypothesis 'two rows per warp left half of the warps idle and asked for weight and bias only after the row was reduced; one row, with the weights behind it, keeps more loads on their way'
  # A kept change wants a new profile before the next try.
  grep -q '::launch' pawl_*.cu && show pawl session check -q --wait 60 --processes 1
  rows_by arriving.cuh "${arriving:-arriving::launch<16, 4, true>}"
  attempt --revert --idea arriving --finding memory-bound --predict 8% --anyway 'one change: how a row comes in' \
    --hypothesis 'bulk copies into shared memory keep all rows of an SM on their way in one wave of blocks, without registers for what has not arrived; weight and bias are loaded once per warp'
}
