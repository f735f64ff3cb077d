# A step of AdamW: llm.c dev/cuda/adamw.cu.
kernel=adamw case=million goal=1.2x
sources() { cp "$LOOP_SOURCES"/llm.c/{adamw.cu,common.h} .; }
adopt() {
  show pawl adopt adamw.cu --function adamw --tunable kernel_num=2,1 --shape params_memory=num_parameters \
    --inout params_memory --shape grads_memory=num_parameters --shape m_memory=num_parameters --inout m_memory \
    --shape v_memory=num_parameters --inout v_memory --size t=10,num_parameters=1048576 --flags="-O3 --use_fast_math"
}
tries() {
  local call='(params_memory, grads_memory, m_memory, v_memory, t, num_parameters, (float)call->scalars[0].value, (float)call->scalars[1].value, (float)call->scalars[2].value, (float)call->scalars[3].value, (float)call->scalars[4].value);'
  replace adamw "adamw_in_vectors<1>$call" vectors.cuh
  attempt --idea vectors --predict 10% --anyway 'one change: four numbers per thread instead of one' \
    --hypothesis 'one number per thread and array keeps few bytes in flight; vectors of four keep four times as many'
  show pawl session check -q --wait 60
  replace adamw_in_vectors "adamw_in_vectors<2>$call"
  attempt --revert --idea more-in-flight --predict 3% --hypothesis 'two vectors per array and thread keep twice as many bytes in flight'
}
