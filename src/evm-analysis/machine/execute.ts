import type { FunctionSignature } from "../contract.ts";
import { selectors } from "../contract.ts";
import type { FindingName } from "../findings/finding.ts";
import { type CallInput, callData } from "../paths/call-data.ts";
import { people, type Stage } from "../paths/stage.ts";

/** An effect that an execution showed. */
export interface ExecutionFinding {
  readonly name: FindingName;
  readonly selector: string;
  readonly note: string;
}

/** The most calls of a run, for functions of the contract and for transfers between them. */
const MAX_CALLS = 400;
/** HUGE is an amount far beyond any supply; SMALL is an amount that every holder of the run has. */
const HUGE = 10n ** 30n;
const SMALL = 777n;

/** Starts a run on `stage`. The run counts its calls and stops at MAX_CALLS or when `alive` returns false. */
export function openRun(stage: Stage, alive: () => boolean) {
  let calls = 0;
  const going = () => calls < MAX_CALLS && alive();
  const call = async (from: bigint, data: Uint8Array | undefined) => {
    calls++;
    return data !== undefined && (await stage.machine.call({ from, data })).ok;
  };
  return { stage, going, call, calls: () => calls };
}

export type MachineRun = ReturnType<typeof openRun>;

const callers = (stage: Stage) => [["stranger", people.stranger] as const, ...(stage.hasOwner ? [owner] : [])];
const owner = ["owner", people.owner] as const;

const totalOf = async ({ balance }: Stage) => {
  let total = 0n;
  for (const who of Object.values(people)) total += (await balance(who)) ?? 0n;
  return total;
};

/** Functions that are executed: they take numbers or addresses and are no views. */
const isTried = ({ selector, arguments: types }: FunctionSignature): boolean =>
  types !== undefined && /int|address/.test(types) && !views.has(selector);

/**
 * Calls every function as a stranger and as the owner. Reports tokens that come from nowhere, and tokens that leave a
 * holder without consent.
 */
export async function powersFrom(
  run: MachineRun,
  functions: readonly FunctionSignature[],
): Promise<readonly ExecutionFinding[]> {
  const shown: ExecutionFinding[] = [];
  for (const { selector, arguments: types } of functions.filter(isTried)) {
    if (!run.going()) break;
    for (const [name, from] of callers(run.stage)) {
      const power = await powerOf(run, selector, types ?? "", from);
      shown.push(...told(power, selector, from, `executed: the ${name}`));
      if (power.taken && from === people.stranger) break;
    }
  }
  return shown;
}

interface Power {
  readonly made: boolean;
  readonly taken: boolean;
}

async function powerOf(run: MachineRun, selector: string, types: string, from: bigint): Promise<Power> {
  return { made: await madeBy(run, selector, types, from), taken: await takenBy(run, selector, types, from) };
}

function told({ made, taken }: Power, selector: string, from: bigint, who: string): readonly ExecutionFinding[] {
  const note = `${who} made 10^30 units of nothing`;
  const taking = { selector, note: `${who} took from a holder who had not agreed` };
  const shown: ExecutionFinding[] = [];
  if (made) shown.push({ name: "mintable", selector, note }, { name: "unlimited_mint", selector, note });
  if (taken) shown.push({ name: "moves_others_tokens", ...taking });
  if (taken && from === people.owner) shown.push({ name: "owner_changes_balance", ...taking });
  return shown;
}

/** Setters: functions with one address, number or switch, or with an address and one of these. */
const isSetter = ({ arguments: types }: FunctionSignature) => /^(address,)?(address|bool|u?int\d*)$/.test(types ?? "");

/** The address that the owner names first, and the caller that then acts. */
const plots = [
  { named: people.stranger, from: people.stranger, who: "executed: a stranger whom the owner named" },
  { named: people.holder, from: people.owner, who: "executed: the owner, who had named the holder before," },
] as const;

/** Powers in two steps: the owner calls every setter, and then a caller calls every function. */
export async function plotsFrom(
  run: MachineRun,
  functions: readonly FunctionSignature[],
): Promise<readonly ExecutionFinding[]> {
  const { stage } = run;
  const shown: ExecutionFinding[] = [];
  if (!stage.hasOwner) return shown;
  for (const { named, from, who } of plots) {
    await stage.machine.apart(async () => {
      if (!(await prepared(run, functions, named))) return;
      for (const one of functions) {
        if (!run.going()) return;
        if (one.arguments === "" && from === people.owner) {
          if (await emptiedBy(run, one.selector)) {
            shown.push(...told({ made: false, taken: true }, one.selector, from, who));
          }
        } else if (isTried(one)) {
          shown.push(...told(await powerOf(run, one.selector, one.arguments ?? "", from), one.selector, from, who));
        }
      }
    });
  }
  return shown;
}

/** Calls every setter. False when that changed the holder's balance, because later changes are then not conclusive. */
async function prepared({ stage, call, going }: MachineRun, functions: readonly FunctionSignature[], who: bigint) {
  const before = await stage.balance(people.holder);
  for (const { selector, arguments: types } of functions.filter(isSetter)) {
    if (!going()) return false;
    if (moving.has(selector)) continue;
    const given = { addresses: [who], number: SMALL, flag: true };
    await call(people.owner, callData(selector, types ?? "", given));
    await stage.enthrone();
  }
  return (await stage.balance(people.holder)) === before;
}

const moving: ReadonlySet<string> = new Set([selectors.transfer, selectors.approve]);

/** Whether the owner's call of a function without arguments reduces the holder's balance. */
async function emptiedBy({ stage, call }: MachineRun, selector: string): Promise<boolean> {
  const before = await stage.balance(people.holder);
  return stage.machine.apart(async () => {
    if (before === undefined || !(await call(people.owner, callData(selector, "", nobody)))) return false;
    const after = await stage.balance(people.holder);
    return after !== undefined && after < before;
  });
}

const nobody: CallInput = { addresses: [], number: 0n, flag: false };

/**
 * Tests a transfer of the holder to itself that increases its balance, and a `transferFrom` of more than the allowance.
 */
export async function transfersFrom({ stage, call, going }: MachineRun): Promise<readonly ExecutionFinding[]> {
  if (!going()) return [];
  const before = (await stage.balance(people.holder)) ?? 0n;
  const pay = (selector: string, types: string, addresses: readonly bigint[], number: bigint) =>
    callData(selector, types, { addresses, number, flag: true });
  return stage.machine.apart(async () => {
    const shown: ExecutionFinding[] = [];
    await call(people.holder, pay(selectors.transfer, "address,uint256", [people.holder], SMALL));
    const doubled = (await stage.balance(people.holder)) ?? 0n;
    const making = { selector: selectors.transfer, note: "executed: a transfer to oneself made tokens" };
    if (doubled > before) shown.push({ name: "mintable", ...making }, { name: "unlimited_mint", ...making });
    await call(people.holder, pay(selectors.approve, "address,uint256", [people.stranger], SMALL));
    const over = pay(selectors.transferFrom, "address,address,uint256", [people.holder, people.stranger], SMALL * 2n);
    const paid = await call(people.stranger, over);
    const left = (await stage.balance(people.holder)) ?? doubled;
    const note = "executed: a stranger took more than a holder had allowed";
    const taken = paid && left < doubled - SMALL;
    if (taken) shown.push({ name: "moves_others_tokens", selector: selectors.transferFrom, note });
    return shown;
  });
}

const views: ReadonlySet<string> = new Set([selectors.balanceOf, selectors.totalSupply, selectors.allowance]);

/**
 * How often a power must be shown. An effect that works once is no power, for example the set-up of a contract in empty
 * storage.
 */
const TIMES = 2;

/** Whether each call with a huge amount increases the total by that amount. */
async function madeBy({ stage, call }: MachineRun, selector: string, types: string, from: bigint): Promise<boolean> {
  return stage.machine.apart(async () => {
    const given = { addresses: [from], number: HUGE, flag: true };
    for (let time = 0; time < TIMES; time++) {
      const before = await totalOf(stage);
      if (!(await call(from, callData(selector, types, given)))) return false;
      if ((await totalOf(stage)) - before < HUGE / 10n) return false;
    }
    return true;
  });
}

/**
 * Whether each call that names the holder takes about the amount that the caller states. A loss of the whole balance
 * does not count: it also happens when a balance is computed from values that a constructor would have stored.
 */
async function takenBy({ stage, call }: MachineRun, selector: string, types: string, from: bigint): Promise<boolean> {
  if (!types.includes("address")) return false;
  return stage.machine.apart(async () => {
    const given = { addresses: [people.holder, from], number: SMALL, flag: true };
    for (let time = 0; time < TIMES; time++) {
      await stage.refill();
      const before = await stage.balance(people.holder);
      if (before === undefined || !(await call(from, callData(selector, types, given)))) return false;
      const after = await stage.balance(people.holder);
      if (after === undefined || after >= before || before - after > SMALL * 10n) return false;
    }
    return true;
  });
}

/** Amounts of transfers: a unit, a few tokens, half of the holder's balance and all of it. */
const sizes = [1n, 10n ** 18n, 5n * 10n ** 23n, 10n ** 24n];

/** The sizes that the holder can send to a stranger. */
async function sends({ stage, call }: MachineRun): Promise<string> {
  let ways = "";
  for (const number of sizes) {
    const data = callData(selectors.transfer, "address,uint256", { addresses: [people.stranger], number, flag: true });
    const before = await stage.balance(people.stranger);
    ways += await stage.machine.apart(async () => {
      const ok = await call(people.holder, data);
      return ok && (await stage.balance(people.stranger)) !== before ? "+" : "-";
    });
  }
  return ways;
}

/** The sizes that an approved spender can transfer from the holder. A router sells in this way. */
async function fetches({ stage, call }: MachineRun): Promise<string> {
  let ways = "";
  for (const number of sizes) {
    ways += await stage.machine.apart(async () => {
      const given = { number, flag: true };
      const approve = callData(selectors.approve, "address,uint256", { addresses: [people.stranger], ...given });
      const to = [people.holder, people.stranger];
      const fetch = callData(selectors.transferFrom, "address,address,uint256", { addresses: to, ...given });
      const before = await stage.balance(people.stranger);
      const ok = (await call(people.holder, approve)) && (await call(people.stranger, fetch));
      return ok && (await stage.balance(people.stranger)) !== before ? "+" : "-";
    });
  }
  return ways;
}

/** The values that the owner gives to a switch, a list or a bound. */
const settings: readonly Pick<CallInput, "number" | "flag">[] = [
  { number: 0n, flag: true },
  { number: 1n, flag: false },
  { number: 2n ** 64n - 1n, flag: true },
];

/** The ways to move the holder's tokens. */
const ways = [
  { tried: sends, what: "a holder can send" },
  { tried: fetches, what: "another can fetch whom a holder approves" },
] as const;

/**
 * Whether one call of `selector` by the owner changes the amounts that the holder can send. The holder must keep its
 * tokens in that call.
 */
export async function limitFrom(run: MachineRun, signature: FunctionSignature): Promise<string | undefined> {
  const { stage, going } = run;
  const { selector, arguments: types } = signature;
  if (!stage.hasOwner || types === undefined || !going()) return undefined;
  for (const { tried, what } of ways) {
    const before = await tried(run);
    for (const setting of settings) {
      if (!going()) return undefined;
      const data = callData(selector, types, { addresses: [people.holder], ...setting });
      const after = await stage.machine.apart(async () => {
        const had = await stage.balance(people.holder);
        if (!(await run.call(people.owner, data)) || (await stage.balance(people.holder)) !== had) return before;
        return tried(run);
      });
      if (after === before) continue;
      return `executed: one call by the owner changed which of four amounts ${what} from ${before} to ${after}`;
    }
  }
  return undefined;
}
