/** What went wrong with a model, for callers to decide on. */
export type ModelErrorCode =
  /** The model's files are missing or cannot be loaded. */
  | 'load-failed'
  /** The model was loaded and a request to it failed. */
  | 'run-failed'
  /** What was asked is longer than the model, or the caller, allows; shorter it may do. */
  | 'too-long'
  /** The model process ended during a request, and again when the request was repeated. */
  | 'process-died'
  /** No answer came in the time a request may take; the model process was ended. */
  | 'timed-out'
  /** The client was closed, by its owner. */
  | 'closed'
  /** The catalogue has no model of this name, or the named model does not do this task. */
  | 'unknown-model'
  /** The model is in the catalogue and not on this machine. */
  | 'not-installed'
  /** Files of an installed model are missing or not what was installed. */
  | 'damaged'
  /** No source of the model could be reached, or all of them broke off again and again. */
  | 'unreachable'
  /** A source answered, and does not give the file. */
  | 'refused'
  /** What arrived is not the file that was asked for; it was deleted. */
  | 'wrong-content'
  /** The disk has not enough room; what had arrived stays for the next try. */
  | 'no-space'
  /** The model folder could not be read or written. */
  | 'store-failed';

/** The one error class of models/: a code to decide on, and a sentence that holds no content of what was processed. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;

  constructor(code: ModelErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ModelError';
    this.code = code;
  }
}
