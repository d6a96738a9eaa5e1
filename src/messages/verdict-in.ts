import { Verdict } from "./verdict.ts";

/** The verdict in a line of JSON. Undefined when the line holds none. */
export function verdictIn(line: Uint8Array): Verdict | undefined {
  try {
    return Verdict.safeParse(JSON.parse(Buffer.from(line).toString("utf8"))).data;
  } catch {
    // Text that is no JSON is no verdict.
    return undefined;
  }
}
