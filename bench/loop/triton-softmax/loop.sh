# Softmax of rows in Triton: tutorial 02.
kernel=softmax-triton case=wide goal=1.1x
sources() { cp "$LOOP_SOURCES"/triton/02-fused-softmax.py .; }
adopt() {
  show pawl adopt 02-fused-softmax.py --device cuda --function softmax --shape x=M,N --shape out=M,N --size M=4096,N=8192
}
tries() {
  cp "$here/planned.py" pawl_softmax.py
  attempt --idea planned --predict 5% --anyway 'one change: when the launch is planned' \
    --hypothesis 'every call compiles and asks for registers before it launches; that may hold the launch back'
}
tries_again() {
  cp "$here/rows.py" pawl_softmax.py
  settings pawl_softmax.py "${softmax:-}"
  attempt --idea rows --finding memory-bound --predict 10% --anyway 'one change: which program computes which row' \
    --hypothesis 'a persistent loop over rows with four stages in shared memory leaves one program of eight warps on an SM, which waits while it reduces; a program per row needs registers only, so that some programs load while others reduce or write'
}
