import { type CodeAnalysis, capabilitiesOf, limits } from "./analyse-code.ts";
import { toHex } from "./code.ts";
import type { FunctionSignature, ReadSignatures } from "./contract.ts";
import { limitShown, openRun, powersShown, type Shown } from "./execute.ts";
import { type Finding, type FindingName, forEachFinding } from "./finding.ts";
import type { Machine } from "./machine.ts";
import { runtimeOf } from "./runtime.ts";
import { setStage } from "./stage.ts";

/** How far a finding is to be believed that was seen to happen. */
const SEEN = 0.97;
/** Functions that are tried. */
const MAX_FUNCTIONS = 60;

/**
 * Tries an analysis of `bytes` out: what a run shows is certain in storage that nobody filled but this, and is added; what
 * it does not show stays as it was, since other storage could show it. So nothing becomes `false` by an execution.
 */
export async function confirmed(
  bytes: Uint8Array,
  analysis: CodeAnalysis,
  read: ReadSignatures,
  open: (code: Uint8Array) => Promise<Machine>,
  alive: () => boolean,
): Promise<CodeAnalysis> {
  const not = (reason: string) => ({ ...analysis, execution: { calls: 0, reason } });
  if (analysis.kind !== "token") return not("not a token that keeps its own balances");
  if (!alive()) return not("no time left");
  const { code } = runtimeOf(bytes);
  const stage = await setStage(await open(code), analysis.ownerSlot, alive);
  if (!stage) return not("balances could not be set");
  const run = openRun(stage, alive);
  const functions = read(toHex(code)).slice(0, MAX_FUNCTIONS);
  const shown: Shown[] = [...(await powersShown(run, functions))];
  const tried = new Map<string, string | undefined>();
  for (const name of limits) {
    for (const signature of writersOf(analysis.findings[name], functions)) {
      const { selector } = signature;
      if (!tried.has(selector)) tried.set(selector, await limitShown(run, signature));
      const note = tried.get(selector);
      if (note !== undefined) shown.push({ name, selector, note });
    }
  }
  const findings = forEachFinding((name) => withShown(name, analysis.findings[name], shown));
  return {
    ...analysis,
    findings,
    capabilities: capabilitiesOf(findings),
    execution: { calls: run.calls(), reason: run.going() ? undefined : "stopped at the bounds" },
  };
}

/** Functions that a finding names, and those of the same arguments: what pauses has a twin that does not. */
function writersOf({ evidence }: Finding, functions: readonly FunctionSignature[]): readonly FunctionSignature[] {
  const named = new Set(evidence.map(({ selector }) => selector));
  const types = new Set(functions.flatMap((one) => (named.has(one.selector) ? [one.arguments] : [])));
  return functions.filter(({ arguments: own }) => types.has(own));
}

function withShown(name: FindingName, finding: Finding, shown: readonly Shown[]): Finding {
  const own = shown.filter((one) => one.name === name).map(({ selector, note }) => ({ selector, note }));
  if (own.length === 0) return finding;
  return { value: true, confidence: Math.max(SEEN, finding.confidence), evidence: [...own, ...finding.evidence] };
}
