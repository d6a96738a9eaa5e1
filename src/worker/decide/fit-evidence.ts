import { sha256 } from "../../kernel/hash.ts";
import type { Check } from "../../messages/checks.ts";
import type { Decision } from "../../messages/decision.ts";
import { parseEvidence } from "../../messages/evidence.ts";
import { type CheckEntry, lacking } from "../../messages/verdict.ts";
import { jsonBytes } from "./verdict-size.ts";

/**
 * Removes `excessBytes` of JSON from check entries, largest entry first. First only the fields that a policy reads are
 * kept, then no evidence at all. A reduced entry keeps the size and the hash of its full evidence. The result may still
 * be too large.
 */
export function fitEvidence(
  entries: readonly CheckEntry[],
  excessBytes: number,
  decision: Decision,
): readonly CheckEntry[] {
  const fitting = [...entries];
  let excess = excessBytes;
  for (const reduce of [withKnownFields, withoutEvidence]) {
    for (const { at, bytes } of bySize(fitting)) {
      if (excess <= 0) return fitting;
      const entry = fitting[at];
      if (entry?.data === undefined) continue;
      const reduced = reduce(entry, decision);
      const saved = bytes - jsonBytes(reduced);
      if (saved <= 0) continue;
      fitting[at] = reduced;
      excess -= saved;
    }
  }
  return fitting;
}

function withKnownFields(entry: CheckEntry): CheckEntry {
  const { check, data } = entry;
  if (check === "event") return entry;
  return { ...entry, data: parseEvidence(check satisfies Check, data), reduced: sizeOf(entry) };
}

/** With the evidence, its failed parts are lost. The check fails instead, so that the event is asked again. */
function withoutEvidence(entry: CheckEntry, decision: Decision): CheckEntry {
  const { data: _data, ...rest } = entry;
  const reduced: CheckEntry = { ...rest, reduced: sizeOf(entry) };
  const lacks = lacking({ checks: [entry], decision });
  if (lacks === lacking({ checks: [reduced], decision })) return reduced;
  const code = lacks === "service" ? "SERVICE_NOT_READY" : "ITEM_FAILED";
  return { ...reduced, outcome: "failed", error: { code, detail: "a part of the check has no answer" } };
}

function sizeOf({ data, reduced }: CheckEntry): NonNullable<CheckEntry["reduced"]> {
  if (reduced !== undefined) return reduced;
  const text = JSON.stringify(data);
  return { bytes: Buffer.byteLength(text), sha256: sha256(text) };
}

/** Indexes of the entries, largest entry first. */
function bySize(entries: readonly CheckEntry[]): readonly { readonly at: number; readonly bytes: number }[] {
  return entries.map((entry, at) => ({ at, bytes: jsonBytes(entry) })).sort((a, b) => b.bytes - a.bytes);
}
