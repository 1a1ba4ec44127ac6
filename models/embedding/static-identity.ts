/**
 * Name and vector length of the static embedding in `static/`. Known without loading it, so that the engine can open a
 * library before the model process has started. The number rises with every change of the vectors.
 */
export const STATIC_EMBEDDER = { name: 'footnote-static-1', dims: 256 } as const;
