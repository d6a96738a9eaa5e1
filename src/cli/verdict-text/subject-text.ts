import { findChain } from "../../chains/registry.ts";
import type { Source, Subject, Verdict } from "../../messages/verdict.ts";
import { printable } from "./printable.ts";

/** The chain's name, or the id of an unknown chain. */
export function chainName(id: string): string {
  return findChain(id)?.name ?? printable(id);
}

/** The subject in one line: chain, address or transaction, and the token. */
export function subjectText(subject: Subject): string {
  if (subject.type === "unreadable") return `unreadable record ${subject.record_sha256.slice(0, 12)}…`;
  const chain = chainName(subject.chain_id);
  const token = subject.token_address === undefined ? "" : `, token ${printable(subject.token_address)}`;
  if (subject.type === "address") return `${chain} ${printable(subject.address)}${token}`;
  const gains = subject.address === undefined ? "" : `, to ${printable(subject.address)}`;
  return `${chain} transaction ${subject.transaction_sha256.slice(0, 12)}…${gains}${token}`;
}

/** The position of the event in its input. */
export function sourceText(source: Source): string {
  return "line" in source ? `line ${source.line}` : `${source.topic}/${source.partition}/${source.offset}`;
}

/** The event's id, when the producer chose one. An id that only repeats the position is left out. */
export function ownId({ event_id, source }: Pick<Verdict, "event_id" | "source">): string | undefined {
  const position = "line" in source ? `/${source.line}` : `/${source.partition}/${source.offset}`;
  const name = "line" in source ? source.file : source.topic;
  return event_id === `${name}${position}` || event_id === "" ? undefined : printable(event_id);
}

/** The columns of a flat `ref`, or its text under the name `ref`. */
export function refColumns(ref: unknown): readonly (readonly [name: string, value: string])[] {
  if (ref === undefined || ref === null) return [];
  if (typeof ref !== "object" || Array.isArray(ref)) return [["ref", textOf(ref)]];
  return Object.entries(ref).map(([name, value]) => [printable(name), textOf(value)] as const);
}

function textOf(value: unknown): string {
  return printable(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}
