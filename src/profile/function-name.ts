/** `void ns::(anonymous namespace)::softmax<float, 4>(float const*)` → `softmax`. */
export function functionName(name: string): string {
  const plain = name.replaceAll('(anonymous namespace)', 'anonymous');
  const [head = plain] = plain.replace(/^(?:void|static|inline)\s+/, '').split(/[<(]/);
  return head.trim().split('::').at(-1) ?? '';
}
