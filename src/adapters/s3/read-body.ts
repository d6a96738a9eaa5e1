import { Readable } from "node:stream";
import { ObjectUnreadableError } from "../../archive/object-store.ts";
import { MAX_LINES_BYTES } from "../gzip/packed-lines.ts";

/** The bytes in the answer about the object that `named` names. @throws {ObjectUnreadableError} */
export async function readBody(body: unknown, named: string): Promise<Buffer> {
  if (!(body instanceof Readable)) throw new TypeError("the SDK gave no stream");
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > MAX_LINES_BYTES) throw new ObjectUnreadableError(`${named} is larger than any object of the archive`);
      chunks.push(chunk);
    }
  } catch (thrown) {
    // The SDK has no error class for a checksum mismatch.
    if (thrown instanceof Error && thrown.message.startsWith("Checksum mismatch"))
      throw new ObjectUnreadableError(`${named} does not have the checksum that S3 keeps of it`);
    throw thrown;
  }
  return Buffer.concat(chunks);
}
