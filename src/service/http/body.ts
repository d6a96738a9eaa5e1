import { shortName } from "../../api/requests/short-name.ts";
import { depthOf, MAX_JSON_DEPTH, parseExact, repeatedKey } from "../../kernel/json.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";

/** Refuses invalid UTF-8. A replacement character would be echoed as text that was never sent. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads a JSON body. The depth is checked first, because code that walks the value later may recurse (CWE-674). */
export function parseBody(bytes: Uint8Array, exactNumbers: boolean): Result<unknown> {
  if (bytes.length === 0) return fail("body is empty");
  const text = decoded(bytes);
  if (text === undefined) return fail("body is not valid UTF-8");
  if (depthOf(text) > MAX_JSON_DEPTH) return fail(`body is nested deeper than ${MAX_JSON_DEPTH} levels`);
  try {
    const value: unknown = exactNumbers ? parseExact(text) : JSON.parse(text);
    // The parser keeps the last of several equal keys. Of two user keys, the first would never be compared.
    const twice = repeatedKey(text, MAX_JSON_DEPTH);
    return twice === undefined ? ok(value) : fail(`${shortName(twice)}: given twice`);
  } catch {
    // The engine's own message quotes the body, and this message must not.
    return fail("body is not valid JSON");
  }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
