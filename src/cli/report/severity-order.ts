import { type Decision, decisions } from "../../messages/decision.ts";
import type { Verdict } from "../../messages/verdict.ts";

/** The decisions, most severe first: BLOCK, UNKNOWN, WARN, ALLOW. Source: `docs/verdicts.md`. */
export const bySeverity: readonly Decision[] = [...decisions].reverse();

const WIDTH = 15;

/**
 * A key that sorts verdicts by severity, then by the position of their events in the input.
 *
 * @param read number of the verdict in the order of reading.
 */
export function severityKey({ decision, source }: Pick<Verdict, "decision" | "source">, read: number): string {
  const position = "line" in source ? source.line : read;
  return `${bySeverity.indexOf(decision)}${digits(position)}${digits(read)}`;
}

function digits(position: number): string {
  return String(position).padStart(WIDTH, "0");
}
