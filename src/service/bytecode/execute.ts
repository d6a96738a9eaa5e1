import { callData, type Given } from "./call-data.ts";
import type { FunctionSignature } from "./contract.ts";
import { selectors } from "./contract.ts";
import type { FindingName } from "./finding.ts";
import { people, type Stage } from "./stage.ts";

/** Something that an execution showed. */
export interface Shown {
  readonly name: FindingName;
  readonly selector: string;
  readonly note: string;
}

/** Calls that are made at most, of the contract's functions and of transfers between them. */
const MAX_CALLS = 400;
/** An amount far beyond any supply, and one that every holder here has. */
const HUGE = 10n ** 30n;
const SMALL = 777n;

/** Runs what `stage` holds. Counts its calls, and stops when they are used up or `alive` says so. */
export function openRun(stage: Stage, alive: () => boolean) {
  let calls = 0;
  const going = () => calls < MAX_CALLS && alive();
  const call = async (from: bigint, data: Uint8Array | undefined) => {
    calls++;
    return data !== undefined && (await stage.machine.call({ from, data })).ok;
  };
  return { stage, going, call, calls: () => calls };
}

type Run = ReturnType<typeof openRun>;

const callers = (stage: Stage) => [["stranger", people.stranger] as const, ...(stage.hasOwner ? [owner] : [])];
const owner = ["owner", people.owner] as const;

const totalOf = async ({ balance }: Stage) => {
  let total = 0n;
  for (const who of Object.values(people)) total += (await balance(who)) ?? 0n;
  return total;
};

/** Every function, as a stranger and as the owner: do tokens come from nowhere, or leave one who did not agree? */
export async function powersShown(run: Run, functions: readonly FunctionSignature[]): Promise<readonly Shown[]> {
  const shown: Shown[] = [];
  for (const { selector, arguments: types } of functions) {
    if (!run.going()) break;
    if (types === undefined || !/int|address/.test(types) || views.has(selector)) continue;
    for (const [name, from] of callers(run.stage)) {
      const made = await madeBy(run, selector, types, from);
      const note = `executed: the ${name} made 10^30 units of nothing`;
      if (made) shown.push({ name: "mintable", selector, note }, { name: "unlimited_mint", selector, note });
      if (!(await takenBy(run, selector, types, from))) continue;
      const taking = { selector, note: `executed: the ${name} took from a holder who had not agreed` };
      shown.push({ name: "moves_others_tokens", ...taking });
      if (from === people.owner) shown.push({ name: "owner_changes_balance", ...taking });
      if (from === people.stranger) break;
    }
  }
  return shown;
}

const views: ReadonlySet<string> = new Set([selectors.balanceOf, selectors.totalSupply, selectors.allowance]);

/** Whether a call that names a huge amount leaves that much more than before. */
async function madeBy({ stage, call }: Run, selector: string, types: string, from: bigint): Promise<boolean> {
  const before = await totalOf(stage);
  return stage.machine.apart(async () => {
    const given = { addresses: [from], number: HUGE, flag: true };
    return (await call(from, callData(selector, types, given))) && (await totalOf(stage)) - before >= HUGE / 10n;
  });
}

/** Whether a call that names the holder leaves it with less, in an amount that the caller gives. */
async function takenBy({ stage, call }: Run, selector: string, types: string, from: bigint): Promise<boolean> {
  const before = await stage.balance(people.holder);
  if (before === undefined || !types.includes("address")) return false;
  return stage.machine.apart(async () => {
    const given = { addresses: [people.holder, from], number: SMALL, flag: true };
    if (!(await call(from, callData(selector, types, given)))) return false;
    const after = await stage.balance(people.holder);
    return after !== undefined && after < before;
  });
}

/** Amounts of transfers: some unit, some tokens, half and all of what the holder has. */
const sizes = [1n, 10n ** 18n, 5n * 10n ** 23n, 10n ** 24n];

/** Which of the sizes the holder can send to a stranger. */
async function sends({ stage, call }: Run): Promise<string> {
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

/** What the owner gives to a switch, a list or a bound. */
const settings: readonly Pick<Given, "number" | "flag">[] = [
  { number: 0n, flag: true },
  { number: 1n, flag: false },
  { number: 2n ** 64n - 1n, flag: true },
];

/** Whether the owner, by one call of `selector`, changes what the holder can send while it keeps its tokens. */
export async function limitShown(run: Run, signature: FunctionSignature): Promise<string | undefined> {
  const { stage, going, call } = run;
  const { selector, arguments: types } = signature;
  if (!stage.hasOwner || types === undefined || !going()) return undefined;
  const before = await sends(run);
  for (const setting of settings) {
    if (!going()) return undefined;
    const after = await stage.machine.apart(async () => {
      const data = callData(selector, types, { addresses: [people.holder], ...setting });
      const had = await stage.balance(people.holder);
      if (!(await call(people.owner, data)) || (await stage.balance(people.holder)) !== had) return before;
      return sends(run);
    });
    if (after === before) continue;
    return `executed: one call by the owner changed which of four amounts a holder can send from ${before} to ${after}`;
  }
  return undefined;
}
