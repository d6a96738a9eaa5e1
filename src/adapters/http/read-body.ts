import { depthOf } from "../../kernel/json.ts";
import { UnavailableError } from "../../worker/service-errors.ts";

/** Largest answer read, bytes after decompression. A full batch answers with about 200 kB. */
export const MAX_ANSWER_BYTES = 10 * 1024 * 1024;
const MAX_ANSWER_DEPTH = 32;

/** Reads an answer as JSON, within bounds of size and depth. @throws {UnavailableError} */
export async function readJson(body: AsyncIterable<Uint8Array>, contentType: string): Promise<unknown> {
  if (!/^application\/json\b/i.test(contentType)) throw new UnavailableError("the answer is not application/json");
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new UnavailableError(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  if (depthOf(text) > MAX_ANSWER_DEPTH) throw new UnavailableError("the answer is nested too deeply");
  try {
    return JSON.parse(text);
  } catch {
    // The engine's message would quote the answer.
    throw new UnavailableError("the answer is not valid JSON");
  }
}
