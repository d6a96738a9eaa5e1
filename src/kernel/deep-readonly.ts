/** What nobody changes once it is made, nor anything in it: so others may hold it, or parts of it, instead of copies. */
export type DeepReadonly<T> = unknown extends T ? T : { readonly [K in keyof T]: DeepReadonly<T[K]> };
