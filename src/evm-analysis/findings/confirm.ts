import { type CodeAnalysis, capabilitiesOf, limits } from "../analyse-code.ts";
import type { FunctionSignature, ReadSignatures } from "../contract.ts";
import { toHex } from "../machine/code.ts";
import { type ExecutionFinding, limitFrom, openRun, plotsFrom, powersFrom, transfersFrom } from "../machine/execute.ts";
import type { Machine } from "../machine/machine.ts";
import { runtimeOf } from "../machine/runtime.ts";
import { setStage } from "../paths/stage.ts";
import { type CodeFinding, type FindingName, forEachFinding } from "./finding.ts";

/** The confidence of a finding that an execution showed. */
const SEEN = 0.97;
/** The most functions that are executed. */
const MAX_FUNCTIONS = 60;

/**
 * Executes the functions of `bytes` to confirm an analysis. An effect that a run shows is certain in storage that only
 * this run filled, so it is added. An effect that a run does not show keeps its finding, because other storage could
 * show it. So an execution never sets a finding to `false`.
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
  // This step comes last because it takes the most calls. An effect that one call shows needs no second call.
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

/**
 * The functions that a finding names, and functions with the same arguments. A function that pauses often has a twin
 * that does not.
 */
function writersOf({ evidence }: CodeFinding, functions: readonly FunctionSignature[]): readonly FunctionSignature[] {
  const named = new Set(evidence.map(({ selector }) => selector));
  const types = new Set(functions.flatMap((one) => (named.has(one.selector) ? [one.arguments] : [])));
  return functions.filter(({ arguments: own }) => types.has(own));
}

/** The highest confidence of a power that no run showed, although every function of its evidence could be called. */
const NOT_SEEN = 0.7;

/** Functions with arguments that can all be filled in. */
function triedIn(functions: readonly FunctionSignature[]): ReadonlySet<string> {
  const plain = /^(address|bool|u?int\d*)(,(address|bool|u?int\d*))*$/;
  return new Set(functions.flatMap((one) => (plain.test(one.arguments ?? "-") ? [one.selector] : [])));
}

/** Powers that one call shows, whatever is stored. */
const atOnce: ReadonlySet<FindingName> = new Set(["unlimited_mint", "moves_others_tokens"]);

/** The evidence of a finding that no run showed. It is no proof of absence, which would have to cover all storage. */
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
