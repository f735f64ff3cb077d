# Copies of the same bytes as the kernels near their limit have, measured as they are. No session: there is nothing to gain.
sources() { cp "$here"/*.cu "$here"/pawl.yaml .; }
whole_loop() {
  sources
  ceilings
  local case way
  for case in softmax layernorm forward gelu; do
    way=${case}_copy
    show pawl bench copy --case "$case" --processes "${PROCESSES:-3}" -q --no-history --variant "${!way:-VECTORS=4,THREADS=512,HINT=1}"
  done
}
