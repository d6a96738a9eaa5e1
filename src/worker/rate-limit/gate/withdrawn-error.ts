/** No event needs the answer any more, and no request was sent. The service did not fail, so this is no AppError. */
export class WithdrawnError extends Error {
  override readonly name = "WithdrawnError";

  constructor() {
    super("nothing waits for the answer any more");
  }
}
