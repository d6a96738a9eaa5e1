import type { Verdict } from "../../messages/verdict.ts";

/**
 * The texts by which a verdict is found: its ids, the hash of its transaction or record, the addresses of its event, the
 * addresses that it resembles, and those that a list holds.
 */
export function keysOf({ verdict_id, event_id, subject, reasons, checks }: Verdict): readonly string[] {
  const keys = [verdict_id, event_id];
  if (subject.type === "unreadable") keys.push(subject.record_sha256);
  else {
    if (subject.type === "transaction") keys.push(subject.transaction_sha256);
    if (subject.address !== undefined) keys.push(subject.address);
    if (subject.token_address !== undefined) keys.push(subject.token_address);
    if (subject.user_addresses !== undefined) keys.push(...subject.user_addresses);
  }
  for (const { resembles } of reasons) if (resembles !== undefined) keys.push(resembles);
  for (const { check, data } of checks) if (check === "listed") keys.push(...listedAddresses(data));
  return keys;
}

/** The spellings under which a verdict may hold a text: hex digits may be written in any case. */
export function spellingsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  return /^(0x)?[0-9a-f]+$|^bc1/.test(lower) && lower !== text ? [text, lower] : [text];
}

function listedAddresses(data: unknown): readonly string[] {
  const { matches } = Object(data);
  if (!Array.isArray(matches)) return [];
  return matches.map((match) => Object(match).address).filter((address) => typeof address === "string");
}
