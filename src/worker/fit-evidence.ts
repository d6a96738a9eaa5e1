import type { Check } from "../events/checks.ts";
import { isPlainEvidence, knownEvidence } from "../events/evidence.ts";
import type { CheckEntry } from "../events/verdict.ts";
import { sha256 } from "../kernel/sha256.ts";
import { failed } from "./check-entry.ts";

/** Most bytes that one UTF-16 code unit takes as JSON: "\u0000". */
const MAX_UNIT_BYTES = 6;
/** Of a name or a value beside its text: quotes, colon, comma, brackets; or the longest number. */
const MAX_OTHER_BYTES = 26;
/** More than all of an entry on a plain target takes, but for its texts. */
const PLAIN_ENTRY_BYTES = 1024;

/**
 * Makes check entries fit into `maxBytes` of JSON, the largest first: of its evidence only what a policy can read is
 * kept, with the size and hash of all of it. Evidence that is too large even so fails its check; it is never cut.
 */
export function fitEvidence(entries: readonly CheckEntry[], maxBytes: number): readonly CheckEntry[] {
  // Nearly all are far below, and need no exact count.
  let most = MAX_OTHER_BYTES;
  for (const entry of entries) most += mostBytesOfEntry(entry);
  if (most <= maxBytes) return entries;
  const fitting = [...entries];
  for (const shrink of [reduced, dropped]) {
    for (const at of bySize(fitting)) {
      if (bytesOf(fitting) <= maxBytes) return fitting;
      const entry = fitting[at];
      if (entry?.data !== undefined) fitting[at] = shrink(entry);
    }
  }
  return fitting;
}

function mostBytesOfEntry(entry: CheckEntry): number {
  const { data, requested_at = "", answered_at = "", reduced: whole, error } = entry;
  if (whole !== undefined || error !== undefined || !isPlainEvidence(data)) return mostBytesOf(entry);
  const { chain_id, address } = data.target;
  const units = requested_at.length + answered_at.length + chain_id.length + address.length;
  return PLAIN_ENTRY_BYTES + MAX_UNIT_BYTES * units;
}

/** At least what `value`, which came from JSON, takes as JSON. */
function mostBytesOf(value: unknown): number {
  if (typeof value === "string") return MAX_OTHER_BYTES + MAX_UNIT_BYTES * value.length;
  let most = MAX_OTHER_BYTES;
  if (typeof value !== "object" || value === null) return most;
  for (const name in value) {
    most += MAX_OTHER_BYTES + MAX_UNIT_BYTES * name.length + mostBytesOf(Reflect.get(value, name));
  }
  return most;
}

function reduced(entry: CheckEntry): CheckEntry {
  const { check, data } = entry;
  if (check === "event") return entry;
  const text = JSON.stringify(data);
  const size = { bytes: Buffer.byteLength(text), sha256: sha256(text) };
  return { ...entry, data: knownEvidence(check satisfies Check, data), reduced: size };
}

function dropped({ data, reduced: whole, ...entry }: CheckEntry): CheckEntry {
  const bytes = whole?.bytes ?? bytesOf(data);
  return {
    ...failed(entry.check, "ANSWER_INVALID", `the answer is too large to keep: ${bytes} bytes`),
    ...timesOf(entry),
  };
}

function timesOf({ requested_at, answered_at, cached, attempts }: CheckEntry): Partial<CheckEntry> {
  return {
    ...(requested_at === undefined ? {} : { requested_at }),
    ...(answered_at === undefined ? {} : { answered_at }),
    cached,
    attempts,
  };
}

/** Places of the entries, those with the most evidence first. */
function bySize(entries: readonly CheckEntry[]): number[] {
  const sizes = entries.map(({ data }) => (data === undefined ? 0 : bytesOf(data)));
  return sizes.map((_, at) => at).sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0));
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
