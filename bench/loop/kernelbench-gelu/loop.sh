# KernelBench's example "fuse_gelu", and its published ModelNew.
kernel=mine case=full goal=1.15x
sources() { cp "$LOOP_SOURCES"/kernelbench/model{,_new}_ex_fuse_gelu.py .; }
adopt() { show pawl adopt model_ex_fuse_gelu.py --candidate model_new_ex_fuse_gelu.py --device cuda; }
# PyTorch's headers are precompiled once, which takes longer than a step is given.
build_first() { LIMIT=200 show pawl bench "$kernel" -q --processes 1; }
tries() {
  cp "$here/gelu.py" model_new_ex_fuse_gelu.py
  settings model_new_ex_fuse_gelu.py "${gelu:-}"
  attempt --idea vectors --predict 15% --anyway 'one change: how many numbers a thread handles' \
    --hypothesis 'one number per thread and an exact tanh: four per thread and one exponential keep more on its way'
}
