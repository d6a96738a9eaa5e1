import { selectors } from "../contract.ts";
import type { Sign } from "../findings/finding.ts";
import { outside, readOf, readsIn } from "../findings/slot.ts";
import type { Token } from "../findings/token.ts";
import { type Expr, isConst, parts } from "../machine/expr.ts";
import { remembered } from "../paths/memo.ts";
import { type ContractCall, newStepsOf, type PathTrace, type Step, stepsOf } from "../paths/path.ts";
import { type FunctionFork, movers, type View } from "../paths/view.ts";
import { type Uses, usesOf } from "./policy.ts";
import { type Settings, settingsOf, writesTo } from "./setting.ts";

/** The highest address that is reserved for precompiles. */
const LAST_PRECOMPILE = 0x1ffn;
/** The registry of ERC-1820, with the same address on every chain. ERC-777 asks it about both sides of a transfer. */
const REGISTRY = 0x1820a4b7618bde71dce8cdc73aab6c95905fad24n;

const isForeign = (call: ContractCall) =>
  !isConst(call.to) || (call.to.value > LAST_PRECOMPILE && call.to.value !== REGISTRY);

const callsIn = (steps: readonly Step[]): readonly ContractCall[] =>
  steps.filter((step): step is ContractCall => step.kind === "call");

/** Calls out of a transfer, and the calls that can stop the transfer. */
export function callSigns(view: View): readonly Sign[] {
  const found = new Map<ContractCall, Sign>();
  const note = (selector: string, steps: readonly Step[]) => {
    for (const call of callsIn(steps)) {
      if (!isForeign(call) || found.has(call)) continue;
      const slot = readOf(call.to)?.name;
      const base = { name: "external_call_on_transfer", confidence: 0.9 } as const;
      found.set(call, { ...base, selector, offset: call.pc, ...(slot ? { slot } : {}) });
    }
  };
  for (const { selector, steps } of view.paths) if (movers.has(selector)) note(selector, steps);
  // A path that joined another path has no end of its own. But it has branched on the answer of the call.
  const seen = new Set<PathTrace>();
  for (const { selector, fork } of view.forks) if (movers.has(selector)) note(selector, newStepsOf(fork.trace, seen));
  return [...found.values(), ...gates(view)];
}

/** A party of a transfer: the caller, the sender or the receiver. */
const taker =
  (selector: string) =>
  ({ op, value }: Expr) =>
    op === "CALLER" || (op === "ARG" && value < (selector === selectors.transferFrom ? 2n : 1n));

const GATE = "external_gate_on_transfer";
const LEDGER = "another contract keeps the balances and decides";

/**
 * Calls that can stop a transfer. Either the call receives the sender or the receiver, and its answer or failure fails
 * the transfer. Or the call is a yes-or-no question, for example about a pause kept elsewhere.
 * The contract or its owner fixes the callee. A callback to the receiver itself is no gate; ERC-223, 677 and 777 make
 * such callbacks.
 */
function gates(view: View): readonly Sign[] {
  const found: Sign[] = [];
  const asked = { uses: usesOf(view), rules: settingsOf(view).rules, ledger: view.token.ledger };
  for (const each of view.forks) {
    const { selector, fork, useful } = each;
    if (useful(fork.whenTrue) === useful(fork.whenFalse)) continue;
    const answered = new Set(answersIn(fork.tested));
    if (answered.size === 0) continue;
    for (const call of callsIn(stepsOf(fork.trace))) {
      if (!answered.has(call.result) || !isForeign(call)) continue;
      const sign = call.to.op === "ADDRESS" ? ownGate(view, each, call, asked) : gateOf(each, call, asked);
      if (sign) found.push({ ...sign, selector, offset: call.pc });
    }
  }
  return found;
}

/** The results of calls that a value depends on. */
const answersIn = remembered((tested): readonly Expr[] => parts(tested).filter(({ op }) => callOps.has(op)));
const callOps: ReadonlySet<string> = new Set([
  "CALL",
  "CALLCODE",
  "STATICCALL",
  "DELEGATECALL",
] satisfies ContractCall["op"][]);

/** The facts by which gates are judged. */
interface Asked {
  readonly uses: Uses;
  readonly rules: Settings["rules"];
  readonly ledger: Token["ledger"];
}

function gateOf(
  { selector, fork }: FunctionFork,
  call: ContractCall,
  { uses: { divisors }, rules, ledger }: Asked,
): Sign | undefined {
  const slot = readOf(call.to)?.name;
  if (slot === undefined && !isConst(call.to)) return undefined;
  const where = slot ? { slot } : {};
  // The answer of another contract about a party is not the party itself.
  if (call.input.some((word) => [...parts(word, outside)].some(taker(selector)))) {
    if (call.to === ledger?.address) return { name: GATE, confidence: 0.8, note: LEDGER, ...where };
    const note = "another contract, told who sends or receives, can stop the transfer";
    // The hook notifies another contract: nothing reads its answer, and the callee cannot be exchanged.
    const field = readOf(call.to);
    const kept = fork.tested === call.result && (!field || writesTo(rules, field).length === 0);
    return { name: GATE, confidence: kept ? 0.4 : 0.7, note, ...where };
  }
  if (divisors.has(fork.tested) || !isYesOrNo(fork.tested, call)) return undefined;
  return { name: GATE, confidence: 0.6, note: "another contract says whether there are transfers", ...where };
}

/** Questions about tokens and pairs. Their answers are no permission. */
const ofTokens: ReadonlySet<number | undefined> = new Set([0x23b872dd, 0xa9059cbb, 0x70a08231, 0x095ea7b3, 0xdd62ed3e]);

/** Whether a call without side effects answers with a flag that decides the test. */
function isYesOrNo(tested: Expr, call: ContractCall): boolean {
  const flag = tested.op === "EQ" ? tested.args.find((arg) => !isConst(arg)) : tested;
  if (call.op !== "STATICCALL" || ofTokens.has(call.selector) || flag?.op !== "RET") return false;
  return (
    flag.args[0] === call.result && (tested.op !== "EQ" || tested.args.some((arg) => isConst(arg) && arg.value < 256n))
  );
}

/** A rule in a function of the contract itself, which the transfer calls from outside. */
function ownGate(view: View, { fork }: FunctionFork, call: ContractCall, { rules }: Asked): Sign | undefined {
  const selector = call.selector?.toString(16).padStart(8, "0") ?? "";
  const asked = fork.tested === call.result || (fork.tested.op === "RET" && fork.tested.args[0] === call.result);
  const behind = asked ? view.contract.functions.get(selector)?.exploration : undefined;
  if (!behind) return undefined;
  const values = [...behind.forks.map(({ tested }) => tested), ...behind.endings.flatMap(({ result }) => result ?? [])];
  const [rule] = values
    .flatMap(readsIn)
    .filter(({ name }) => !view.token.ordinary.has(name))
    .flatMap((field) => writesTo(rules, field));
  if (!rule) return undefined;
  const note = `asks ${selector} of its own, which looks at what ${rule.selector} writes`;
  return { name: GATE, confidence: 0.7, slot: rule.field.name, note };
}
