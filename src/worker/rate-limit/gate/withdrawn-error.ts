/** Nothing waits for the answer any more, and no request was sent. No failure of the service: it is no AppError. */
export class WithdrawnError extends Error {
  override readonly name = "WithdrawnError";

  constructor() {
    super("nothing waits for the answer any more");
  }
}
