import { depthOf, MAX_JSON_DEPTH, parseExact } from "../../kernel/json.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";

/** Reads a JSON body. Depth is bounded first, since whatever walks the value later may recurse (CWE-674). */
export function parseBody(text: string, exactNumbers: boolean): Result<unknown> {
  if (text === "") return fail("body is empty");
  if (depthOf(text) > MAX_JSON_DEPTH) return fail(`body is nested deeper than ${MAX_JSON_DEPTH} levels`);
  try {
    return ok(exactNumbers ? parseExact(text) : JSON.parse(text));
  } catch {
    // The engine's own message quotes the body; ours must not.
    return fail("body is not valid JSON");
  }
}
