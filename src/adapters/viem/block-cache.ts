/** Values by key. The least recently used values are dropped beyond a number of bytes. */
export interface BlockCache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T, bytes: number): void;
}

/** Bytes of an entry beside its value: key, map and object. Guessed. */
const ENTRY_BYTES = 400;

/** A cache with keys that name a block, so that a cached value never changes. */
export function createBlockCache<T>(maxBytes: number): BlockCache<T> {
  const entries = new Map<string, { readonly value: T; readonly bytes: number }>();
  let held = 0;
  const drop = (key: string) => {
    held -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, bytes) {
      drop(key);
      entries.set(key, { value, bytes: bytes + ENTRY_BYTES });
      held += bytes + ENTRY_BYTES;
      for (const oldest of entries.keys()) {
        if (held <= maxBytes) break;
        drop(oldest);
      }
    },
  };
}
