import { type Verdict, verdictIn } from "../../messages/verdict.ts";

const ID = /^[0-9a-f]{64}$/;

/** The verdict in a line. Undefined for a line without one, and for a verdict whose id is no SHA-256. */
export function readVerdict(line: Uint8Array): Verdict | undefined {
  const verdict = verdictIn(line);
  return verdict !== undefined && ID.test(verdict.verdict_id) ? verdict : undefined;
}
