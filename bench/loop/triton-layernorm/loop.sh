# Layer norm in Triton: tutorial 05, forward.
kernel=layernorm-triton case=wide goal=1.1x
sources() { cp "$LOOP_SOURCES"/triton/05-layer-norm.py .; }
adopt() {
  show pawl adopt 05-layer-norm.py --device cuda --function layer_norm --shape x=M,N:f16 --shape weight=N:f16 \
    --shape bias=N:f16 --shape out=M,N:f16 --scalar normalized_shape=0,eps=1e-5 --size M=4096,N=8192
}
tries() {
  cp "$here/once.py" pawl_layer_norm.py
  attempt --idea once --predict 10% --anyway 'one change: how often a row is loaded' \
    --hypothesis 'a row is loaded three times; the second and third time it comes from the caches, and still takes instructions and latency'
  sed -i 's/min(8, block/min(4, block/' pawl_layer_norm.py
  attempt --revert --idea warps --predict 3% --hypothesis 'four warps per row leave room for more rows at a time'
}
