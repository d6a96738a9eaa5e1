/** The result of `make`, created on first use. Tables take milliseconds to build, and most runs use few tables. */
export function lazy<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
