# Matrix product in single precision: SGEMM_CUDA, kernel 10 (warp tiling), which its author names as the best.
kernel=sgemm case=square_4096 goal=1.3x
sources() { cp -r "$LOOP_SOURCES"/sgemm/. .; }
adopt() {
  show pawl adopt runner.cu --function runSgemmWarptiling --shape A=M,K --input A --shape B=K,N --input B --shape C=M,N \
    --inout C --size M=4096,N=4096,K=4096 --scalar alpha=0.5,beta=3 --flags="-O3 -std=c++20"
}
tries() {
  local call='(M, N, K, (float)call->scalars[0].value, A, B, (float)call->scalars[1].value, C);'
  replace runSgemmWarptiling "sgemm_on_tensor_cores<128, 128, 4, 1, false>$call" tensor-cores.cuh
  attempt --revert --idea tensor-cores --finding tensor-idle --anyway 'one change: where products are computed' \
    --hypothesis 'tensor cores do TF32 at seven times the rate of single precision'
  replace runSgemmWarptiling "sgemm_on_tensor_cores<128, 128, 4, 3, false>$call" tensor-cores.cuh
  attempt --revert --idea three-products --finding tensor-idle --anyway 'one change: where products are computed' \
    --hypothesis 'TF32 alone is too coarse; three products of split numbers have the error of single precision and still twice its rate'
}
tries_again() {
  local call='(M, N, K, (float)call->scalars[0].value, A, B, (float)call->scalars[1].value, C);'
  replace runSgemmWarptiling "sgemm_on_tensor_cores<128, 128, 4, 3, true>$call" tensor-cores.cuh
  attempt --idea sums-apart --finding tensor-idle --anyway 'one change: where products are computed' \
    --hypothesis 'tensor cores cut their sums off: with sums of eight products, added up in single precision, the result is right'
  show pawl session check -q --wait 60
  replace sgemm_on_tensor_cores "sgemm_on_tensor_cores<128, 128, 3, 3, true>$call"
  attempt --revert --idea stages --predict 2% --hypothesis 'three stages leave shared memory for a second block on each SM'
}
