/** What went wrong with a model, for callers to decide on. */
export type ModelErrorCode =
  /** The model's files are missing or cannot be loaded. */
  | 'load-failed'
  /** The model was loaded and a request to it failed. */
  | 'run-failed'
  /** The model process ended during a request, and again when the request was repeated. */
  | 'process-died'
  /** The client was closed, by its owner. */
  | 'closed';

/** The one error class of models/: a code to decide on, and a sentence that holds no content of what was processed. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;

  constructor(code: ModelErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ModelError';
    this.code = code;
  }
}
