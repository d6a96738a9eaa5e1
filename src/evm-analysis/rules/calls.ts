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

/** Addresses up to here are the machine's own. */
const LAST_PRECOMPILE = 0x1ffn;
/** The registry of ERC-1820, the same address on every chain, which ERC-777 asks about both sides of a transfer. */
const REGISTRY = 0x1820a4b7618bde71dce8cdc73aab6c95905fad24n;

const isForeign = (call: ContractCall) =>
  !isConst(call.to) || (call.to.value > LAST_PRECOMPILE && call.to.value !== REGISTRY);

const callsIn = (steps: readonly Step[]): readonly ContractCall[] =>
  steps.filter((step): step is ContractCall => step.kind === "call");

/** Calls out of a transfer, and those of them that can stop it. */
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
  // A path that joined another has no end of its own, but has branched on what the call answered.
  const seen = new Set<PathTrace>();
  for (const { selector, fork } of view.forks) if (movers.has(selector)) note(selector, newStepsOf(fork.trace, seen));
  return [...found.values(), ...gates(view)];
}

/** Who takes part in a transfer, as its calls may be told. */
const taker =
  (selector: string) =>
  ({ op, value }: Expr) =>
    op === "CALLER" || (op === "ARG" && value < (selector === selectors.transferFrom ? 2n : 1n));

const GATE = "external_gate_on_transfer";
const LEDGER = "another contract keeps the balances and decides";

/**
 * Calls that are told who sends or receives and whose answer, or failure, fails the transfer; and those that ask nothing
 * but yes or no, as where a pause is kept. The callee is fixed by the contract or its owner; a callback to the receiver
 * itself, as ERC-223, 677 and 777 make, is no gate.
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

/** What calls left on the stack, as far as a value depends on it. */
const answersIn = remembered((tested): readonly Expr[] => parts(tested).filter(({ op }) => callOps.has(op)));
const callOps: ReadonlySet<string> = new Set([
  "CALL",
  "CALLCODE",
  "STATICCALL",
  "DELEGATECALL",
] satisfies ContractCall["op"][]);

/** What gates are judged by. */
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
  // What another contract answered about somebody is not that somebody.
  if (call.input.some((word) => [...parts(word, outside)].some(taker(selector)))) {
    if (call.to === ledger?.address) return { name: GATE, confidence: 0.8, note: LEDGER, ...where };
    const note = "another contract, told who sends or receives, can stop the transfer";
    // A hook whose answer nobody looks at, in a contract that nobody can exchange, was made to be told, not to be asked.
    const field = readOf(call.to);
    const kept = fork.tested === call.result && (!field || writesTo(rules, field).length === 0);
    return { name: GATE, confidence: kept ? 0.4 : 0.7, note, ...where };
  }
  if (divisors.has(fork.tested) || !isYesOrNo(fork.tested, call)) return undefined;
  return { name: GATE, confidence: 0.6, note: "another contract says whether there are transfers", ...where };
}

/** Questions about tokens and pairs, whose answers say nothing of leave. */
const ofTokens: ReadonlySet<number | undefined> = new Set([0x23b872dd, 0xa9059cbb, 0x70a08231, 0x095ea7b3, 0xdd62ed3e]);

/** Whether a question that changes nothing is answered by a flag, and the flag decides. */
function isYesOrNo(tested: Expr, call: ContractCall): boolean {
  const flag = tested.op === "EQ" ? tested.args.find((arg) => !isConst(arg)) : tested;
  if (call.op !== "STATICCALL" || ofTokens.has(call.selector) || flag?.op !== "RET") return false;
  return (
    flag.args[0] === call.result && (tested.op !== "EQ" || tested.args.some((arg) => isConst(arg) && arg.value < 256n))
  );
}

/** A rule in a function of the contract's own, which the transfer calls as a stranger would. */
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
