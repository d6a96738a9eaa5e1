import { Verdict } from "./verdict.ts";

/** The verdict that a line of JSON holds; undefined when it holds none. */
export function verdictIn(line: Uint8Array): Verdict | undefined {
  try {
    return Verdict.safeParse(JSON.parse(Buffer.from(line).toString("utf8"))).data;
  } catch {
    // No JSON, so no verdict either.
    return undefined;
  }
}
