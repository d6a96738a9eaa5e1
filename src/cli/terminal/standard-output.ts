import { once } from "node:events";

/** A stream for much text: each write waits until the reader has taken what came before. */
export function pacedOutput(stream: NodeJS.WriteStream): {
  readonly isTTY: boolean;
  readonly write: (text: string) => Promise<void>;
} {
  return {
    isTTY: stream.isTTY === true,
    async write(text) {
      // After `weir show | head` the reader is gone, and no drain comes any more.
      if (!stream.writable) return;
      if (!stream.write(text)) await Promise.race([once(stream, "drain"), once(stream, "close")]);
    },
  };
}
