# KernelBench's example "tiled_matmul", and its published ModelNew.
kernel=mine case=full goal=2x
sources() { cp "$LOOP_SOURCES"/kernelbench/model{,_new}_ex_tiled_matmul.py .; }
adopt() {
  show pawl adopt model_ex_tiled_matmul.py --candidate model_new_ex_tiled_matmul.py --device cuda
  sed -i 's/^    generator:/    operations: 2 * 1024 ** 3\n&/' pawl.yaml
}
# PyTorch's headers are precompiled once, which takes longer than a step is given.
build_first() { LIMIT=200 show pawl bench "$kernel" -q --processes 1; }
tries() {
  cp "$here/product.py" model_new_ex_tiled_matmul.py
  attempt --idea tensor-cores --predict 80% --anyway 'one change: where products are computed' \
    --hypothesis 'every thread computes one number of a 16 by 16 tile, two loads from shared memory per product; tensor cores with split numbers need neither'
}
