/** What the example is written in: `cpu` is C++, `python` NumPy. */
export type Template = 'cpu' | 'cuda' | 'python' | 'pytorch' | 'triton';
