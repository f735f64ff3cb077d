# Layer norm, forward: llm.c dev/cuda/layernorm_forward.cu.
kernel=layernorm-forward case=gpt2 goal=1.3x
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
