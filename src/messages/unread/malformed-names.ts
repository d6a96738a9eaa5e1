import { z } from "zod";
import { parseExact, repeatedKey } from "../../kernel/json.ts";
import { MAX_EVENT_BYTES, ScreeningEventNames } from "../event.ts";

/** The fields by which a producer identifies a malformed record. */
export type MalformedNames = Readonly<z.infer<typeof Names>>;

const Names = z.object(ScreeningEventNames);
const none: MalformedNames = {};
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The id, tenant and ref of a record that is a JSON object but no event. Each field counts when it is valid by itself.
 * A record with a repeated key gives no fields, because another parser may read the other value.
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

/** Undefined for text that is no JSON, or that repeats a key of its outermost object. */
function parsed(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes);
    return repeatedKey(text) === undefined ? parseExact(text) : undefined;
  } catch (thrown) {
    if (thrown instanceof TypeError || thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}
