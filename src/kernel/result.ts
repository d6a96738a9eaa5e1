/**
 * The outcome of parsing or checking one item. Failures of items are data, not exceptions: a batch must not lose
 * 999 answers to one bad row. `detail` is a lower-case fragment that says what is wrong.
 */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly detail: string };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function fail(detail: string): { readonly ok: false; readonly detail: string } {
  return { ok: false, detail };
}

/**
 * A value that is never changed after its creation, at any depth. Other code may keep references to it instead of
 * copies.
 */
export type DeepReadonly<T> = unknown extends T ? T : { readonly [K in keyof T]: DeepReadonly<T[K]> };
