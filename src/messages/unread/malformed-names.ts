import { z } from "zod";
import { parseExact, repeatedKey } from "../../kernel/json.ts";
import { MAX_EVENT_BYTES, ScreeningEventNames } from "../event.ts";

/** What a record that is no event says of itself, by which its producer knows it. */
export type MalformedNames = Readonly<z.infer<typeof Names>>;

const Names = z.object(ScreeningEventNames);
const none: MalformedNames = {};
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The id, tenant and ref of a record that is a JSON object and no event. Each counts where it is valid by itself. A record that
 * gives a key twice names nothing: another parser may read the other value.
 */
export function namesInMalformed(bytes: Uint8Array): MalformedNames {
  if (bytes.byteLength > MAX_EVENT_BYTES) return none;
  const value = parsed(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return none;
  const names: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(ScreeningEventNames)) {
    const read = schema.safeParse(Reflect.get(value, name));
    if (read.success && read.data !== undefined) names[name] = read.data;
  }
  return names;
}

/** Undefined for what is no JSON, or repeats a key of its outermost object. */
function parsed(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes);
    return repeatedKey(text) === undefined ? parseExact(text) : undefined;
  } catch (thrown) {
    if (thrown instanceof TypeError || thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}
