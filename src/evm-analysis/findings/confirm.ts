import { type CodeAnalysis, capabilitiesOf, limits } from "../analyse-code.ts";
import type { FunctionSignature, ReadSignatures } from "../contract.ts";
import { toHex } from "../machine/code.ts";
import { type ExecutionFinding, limitFrom, openRun, plotsFrom, powersFrom, transfersFrom } from "../machine/execute.ts";
import type { Machine } from "../machine/machine.ts";
import { runtimeOf } from "../machine/runtime.ts";
import { setStage } from "../paths/stage.ts";
import { type CodeFinding, type FindingName, forEachFinding } from "./finding.ts";

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
  const shown: ExecutionFinding[] = [...(await powersFrom(run, functions)), ...(await transfersFrom(run))];
  const tried = new Map<string, string | undefined>();
  for (const name of limits) {
    for (const signature of writersOf(analysis.findings[name], functions)) {
      const { selector } = signature;
      if (!tried.has(selector)) tried.set(selector, await limitFrom(run, signature));
      const note = tried.get(selector);
      if (note !== undefined) shown.push({ name, selector, note });
    }
  }
  // Last, since it takes the most calls: what one call shows need not be shown by two.
  shown.push(...(await plotsFrom(run, functions)));
  const whole = run.going() && stage.hasOwner;
  const missing = whole ? triedIn(functions) : new Set<string>();
  const vain = new Set(whole ? [...tried].flatMap(([selector, note]) => (note === undefined ? [selector] : [])) : []);
  const findings = forEachFinding((name) =>
    withShown(name, analysis.findings[name], shown, limits.includes(name) ? vain : missing),
  );
  return {
    ...analysis,
    findings,
    capabilities: capabilitiesOf(findings),
    execution: { calls: run.calls(), reason: run.going() ? undefined : "stopped at the bounds" },
  };
}

/** Functions that a finding names, and those of the same arguments: what pauses has a twin that does not. */
function writersOf({ evidence }: CodeFinding, functions: readonly FunctionSignature[]): readonly FunctionSignature[] {
  const named = new Set(evidence.map(({ selector }) => selector));
  const types = new Set(functions.flatMap((one) => (named.has(one.selector) ? [one.arguments] : [])));
  return functions.filter(({ arguments: own }) => types.has(own));
}

/** How far at most a power is to be believed that did not show, though every function it was read in could be called. */
const NOT_SEEN = 0.7;

/** Functions whose arguments can all be filled in. */
function triedIn(functions: readonly FunctionSignature[]): ReadonlySet<string> {
  const plain = /^(address|bool|u?int\d*)(,(address|bool|u?int\d*))*$/;
  return new Set(functions.flatMap((one) => (plain.test(one.arguments ?? "-") ? [one.selector] : [])));
}

/** Powers that a call shows at once, whatever is stored. */
const atOnce: ReadonlySet<FindingName> = new Set(["unlimited_mint", "moves_others_tokens"]);

/** What is told of a finding that did not show: no proof of its absence, which would be one of all storage. */
const VAIN = { note: "executed: tried, and not seen to happen" } as const;

function withShown(
  name: FindingName,
  finding: CodeFinding,
  shown: readonly ExecutionFinding[],
  tried: ReadonlySet<string>,
): CodeFinding {
  const own = shown.filter((one) => one.name === name).map(({ selector, note }) => ({ selector, note }));
  if (own.length > 0) {
    return { value: true, confidence: Math.max(SEEN, finding.confidence), evidence: [...own, ...finding.evidence] };
  }
  const all = finding.evidence.every(({ selector }) => selector !== undefined && tried.has(selector));
  if (!(atOnce.has(name) || limits.includes(name)) || finding.value !== true || !all) return finding;
  return {
    ...finding,
    confidence: Math.min(finding.confidence, NOT_SEEN),
    evidence: [...finding.evidence, VAIN],
  };
}
