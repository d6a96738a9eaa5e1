/** What `make` makes, from when it is first asked for: tables take milliseconds, and most runs ask few of them. */
export function lazy<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
