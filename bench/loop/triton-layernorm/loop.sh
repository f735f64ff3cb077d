# Layer norm in Triton: tutorial 05, forward.
kernel=layernorm-triton case=wide goal=1.05x
sources() { cp "$LOOP_SOURCES"/triton/05-layer-norm.py .; }
adopt() {
  show pawl adopt 05-layer-norm.py --device cuda --function layer_norm --shape x=M,N:f16 --shape weight=N:f16 \
    --shape bias=N:f16 --shape out=M,N:f16 --scalar normalized_shape=0,eps=1e-5 --size M=4096,N=8192
}
# PyTorch's, for the table: a race takes longer.
build_first() { show pawl bench torch --case "$case" --processes 2 -q; }
tries() {
  cp "$here/once.py" pawl_layer_norm.py
  settings pawl_layer_norm.py "${layernorm:-}"
  attempt --idea once --finding memory-bound --predict 10% --anyway 'one change: how often a row is loaded' \
    --hypothesis 'a row is loaded three times; the second and third time it comes from the caches, and still takes instructions and latency'
}
