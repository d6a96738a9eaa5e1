import type { CodeAnalysis } from "../../evm-analysis/analyse-code.ts";
import { type Evidence, findingNames } from "../../evm-analysis/findings/finding.ts";
import type { DeployedAt } from "./deployed-code.ts";

/** The origin of code: a file, or a chain. */
export type CodeLocation = { readonly file: string } | DeployedAt;

/** The result for one contract. */
export type Inspected =
  | { readonly place: CodeLocation; readonly analysis: CodeAnalysis }
  | { readonly place: CodeLocation; readonly failure: string };

const unknown = { mint: "unknown", limit: "unknown", leak: "unknown" };

/** One line of JSON for one contract. Without an analysis every field is unknown, and `error` has the reason. */
export function inspectLine(inspected: Inspected): string {
  if (!("analysis" in inspected)) {
    const { place, failure } = inspected;
    return JSON.stringify({ ...place, error: failure, kind: "unknown", capabilities: unknown });
  }
  const {
    kind,
    creation,
    codeBytes,
    functions,
    truncated,
    findings,
    capabilities,
    balanceSlots,
    ownerSlot,
    proxy,
    execution,
  } = inspected.analysis;
  return JSON.stringify({
    ...inspected.place,
    kind,
    creation,
    code_bytes: codeBytes,
    functions,
    truncated,
    capabilities,
    findings,
    balance_slots: balanceSlots,
    owner_slot: ownerSlot,
    proxy,
    execution,
  });
}

const questions = {
  mint: "some function makes any number of tokens",
  limit: "something can keep holders from selling",
  leak: "tokens of others can be moved or destroyed",
} as const;

const says = (value: boolean | "unknown") => (value === "unknown" ? "unknown" : value ? "yes" : "no");

/** The analysis as text: first the dangers for holders, then all findings with their positions. */
export function inspectReport(inspected: Inspected): string {
  const where = placeName(inspected.place);
  if (!("analysis" in inspected)) return `${where}\n  not analysed: ${inspected.failure}\n`;
  const { analysis } = inspected;
  const { kind, creation, codeBytes, functions, truncated, proxy, findings } = analysis;
  const code = `${codeBytes} bytes, ${functions} functions${creation ? ", cut out of creation code" : ""}`;
  const lines = [where, `  ${kind}: ${code}`];
  if (proxy) lines.push(`  runs other code as its own: ${proxy.kind}${proxy.at ? ` ${proxy.at}` : ""}`);
  if (truncated) lines.push("  too large to be followed to every end: what was not seen is unknown");
  const { calls, reason } = analysis.execution;
  lines.push(`  run: ${calls} calls${reason ? `, ${reason}` : ""}`);
  for (const name of ["mint", "limit", "leak"] as const) {
    lines.push(`  ${says(analysis.capabilities[name]).padEnd(8)}${questions[name]}`);
  }
  for (const name of findingNames) {
    const { value, confidence, evidence } = findings[name];
    if (value !== true) continue;
    lines.push(`  ${name} (${confidence})`, ...evidence.map((seen) => `    ${placeOf(seen)}`));
  }
  return `${lines.join("\n")}\n`;
}

function placeName(place: CodeLocation): string {
  if ("file" in place) return place.file;
  const { address, chain_id, block, proxy_type, code_of } = place;
  const at = `${address} on chain ${chain_id}, after block ${block}`;
  return proxy_type === "" ? at : `${at}\n  a proxy (${proxy_type}); what follows is the code of ${code_of}`;
}

function placeOf({ selector, slot, offset, note }: Evidence): string {
  const places = [
    selector && `function ${selector}`,
    slot && `slot ${slot}`,
    offset === undefined ? undefined : `at 0x${offset.toString(16)}`,
    note,
  ];
  return places.filter((place) => place !== undefined).join(", ");
}
