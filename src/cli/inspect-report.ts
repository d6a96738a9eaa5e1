import type { CodeAnalysis } from "../service/bytecode/analyse-code.ts";
import { type Evidence, findingNames } from "../service/bytecode/finding.ts";

/** What became of one file. */
export type Inspected =
  | { readonly file: string; readonly analysis: CodeAnalysis }
  | { readonly file: string; readonly failure: string };

const unknown = { mint: "unknown", limit: "unknown", leak: "unknown" };

/** One line of JSON for one file. Without an analysis everything is unknown, and `error` says why. */
export function inspectLine(inspected: Inspected): string {
  if (!("analysis" in inspected)) {
    const { file, failure } = inspected;
    return JSON.stringify({ file, error: failure, kind: "unknown", capabilities: unknown });
  }
  const { kind, creation, codeBytes, functions, truncated, findings, capabilities, balanceSlots, ownerSlot, proxy } =
    inspected.analysis;
  return JSON.stringify({
    file: inspected.file,
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
  });
}

const questions = {
  mint: "some function makes any number of tokens",
  limit: "something can keep holders from selling",
  leak: "tokens of others can be moved or destroyed",
} as const;

const says = (value: boolean | "unknown") => (value === "unknown" ? "unknown" : value ? "yes" : "no");

/** The same for people: what holders fear, then what was found and where. */
export function inspectReport(inspected: Inspected): string {
  if (!("analysis" in inspected)) return `${inspected.file}\n  not analysed: ${inspected.failure}\n`;
  const { analysis, file } = inspected;
  const { kind, creation, codeBytes, functions, truncated, proxy, findings } = analysis;
  const code = `${codeBytes} bytes, ${functions} functions${creation ? ", cut out of creation code" : ""}`;
  const lines = [file, `  ${kind}: ${code}`];
  if (proxy) lines.push(`  runs other code as its own: ${proxy.kind}${proxy.at ? ` ${proxy.at}` : ""}`);
  if (truncated) lines.push("  too large to be followed to every end: what was not seen is unknown");
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

function placeOf({ selector, slot, offset, note }: Evidence): string {
  const places = [
    selector && `function ${selector}`,
    slot && `slot ${slot}`,
    offset === undefined ? undefined : `at 0x${offset.toString(16)}`,
    note,
  ];
  return places.filter((place) => place !== undefined).join(", ");
}
