/** `.github/pull_request_template.md`: the fields that `pawl claim` reads. */
export const PULL_REQUEST_TEMPLATE = `## What and why

<!-- One paragraph. -->

## Performance

<!-- For a change that is meant to be faster; \`pawl claim\` holds it against what was measured. Delete it otherwise. -->

**Target Shape(s):** <!-- case names, or dimensions: B=32, H=8, S=512 -->
**Hypothesis (Bottleneck):** <!-- what limits it now, and what this changes about that -->
**Nsight Evidence:** <!-- a file in this repository, or a link -->
**Result:**

- Median Δ: <!-- +15.2 % faster -->
- CI Overlap: <!-- yes or no -->
- Cliff's δ: <!-- −1 to 1 -->
- Verdict: <!-- improved, maintained, regressed or undecided -->
`;
