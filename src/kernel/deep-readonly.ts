/**
 * A value that is never changed after its creation, at any depth. Other code may keep references to it instead of
 * copies.
 */
export type DeepReadonly<T> = unknown extends T ? T : { readonly [K in keyof T]: DeepReadonly<T[K]> };
