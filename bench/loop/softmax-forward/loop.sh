# Softmax over a vocabulary, forward: llm.c dev/cuda/softmax_forward.cu.
kernel=softmax-forward case=gpt2 goal=1.3x
sources() { cp "$LOOP_SOURCES"/llm.c/{softmax_forward.cu,common.h} .; }
adopt() {
  show pawl adopt softmax_forward.cu --function softmax_forward --tunable kernel_num=7,4,8 \
    --tunable block_size=512,256,1024 --shape out=N,C --shape inp=N,C --size N=8192,C=50257 --flags="-O3 --use_fast_math"
}
tries() {
  replace softmax_forward 'softmax_twice(out, inp, N, C);' two-passes.cuh
  attempt --idea passes --predict 30% --anyway 'one change: how often a row is read, and how wide' \
    --hypothesis 'the published kernel reads a row twice and its exponentials a third time; maximum and sum in one pass and vectors of four leave two reads, of which the second finds the L2'
  show pawl session check -q --wait 60
  replace softmax_twice 'softmax_held(out, inp, N, C);' in-shared-memory.cuh
  attempt --idea shared --predict 15% --anyway 'one change: where a row waits for its second use' \
    --hypothesis 'a row of 201 kB fits into the shared memory of an SM: it is read once, and the next row comes in while this one is written'
}
