/** The indices of the `count` greatest values, greatest first. Values below zero stand for none. */
export function topIndices(values: Float64Array, length: number, count: number): number[] {
  // A heap with the least of the chosen at its root: most values are turned away by one comparison.
  const heap: number[] = [];
  for (let index = 0; index < length; index++) {
    const value = values[index]!;
    if (value < 0) continue;
    if (heap.length < count) {
      heap.push(index);
      siftUp(heap, values);
    } else if (value > values[heap[0]!]!) {
      heap[0] = index;
      siftDown(heap, values);
    }
  }
  return heap.sort((one, other) => values[other]! - values[one]! || one - other);
}

function siftUp(heap: number[], values: Float64Array): void {
  let at = heap.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (values[heap[parent]!]! <= values[heap[at]!]!) return;
    [heap[parent], heap[at]] = [heap[at]!, heap[parent]!];
    at = parent;
  }
}

function siftDown(heap: number[], values: Float64Array): void {
  for (let at = 0; ;) {
    const left = 2 * at + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const least = right < heap.length && values[heap[right]!]! < values[heap[left]!]! ? right : left;
    if (values[heap[at]!]! <= values[heap[least]!]!) return;
    [heap[at], heap[least]] = [heap[least]!, heap[at]!];
    at = least;
  }
}
