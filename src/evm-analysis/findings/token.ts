import { entriesAt } from "../../chains/evm/evm-storage.ts";
import { type Contract, endingsOf, selectors } from "../contract.ts";
import { instructions, numberAt, opcode } from "../machine/code.ts";
import { type Expr, isConst, mark } from "../machine/expr.ts";
import { stepsOf, type Write } from "../paths/path.ts";
import type { Bits, Layout } from "./effect.ts";
import { type Ledger, ledgerOf } from "./ledger.ts";
import { readsIn, type Slot, type StorageField, slotOf } from "./slot.ts";

/** Where a token keeps its standard variables. Names of slots are in the notation of `slot.ts`. */
export interface Token {
  readonly balances: ReadonlySet<string>;
  /** The other contract that keeps the balances. When it is set, `balances` is empty. */
  readonly ledger: Ledger | undefined;
  readonly balanceLayout: Layout;
  /**
   * The balance mappings in which most transfers write the sender's entry. Reflection tokens keep a second mapping for
   * some holders.
   */
  readonly primary: ReadonlySet<string>;
  /** Whether every answer of `balanceOf` depends on a balance that transfers move, or is zero. */
  readonly isShown: boolean;
  readonly allowances: ReadonlySet<string>;
  readonly allowanceLayout: Layout;
  readonly supply: ReadonlySet<string>;
  /** The field that `owner()` reads. Undefined when the function is missing or answers a constant. */
  readonly owner: StorageField | undefined;
  /** All names above. Holding tokens is no privilege, and transfer rules do not lie in these variables. */
  readonly ordinary: ReadonlySet<string>;
}

const isArg = (expr: Expr, at: bigint) => expr.op === "ARG" && expr.value === at;

/** The storage that a view function reads, in its tests and in its answers. Paths without a known end count too. */
function readsOf(contract: Contract, selector: string): readonly StorageField[] {
  const exploration = contract.functions.get(selector)?.exploration;
  const results = (exploration?.endings ?? []).flatMap(({ result }) => (result ? [result] : []));
  const tests = (exploration?.forks ?? []).map(({ tested }) => tested);
  return [...results, ...tests].flatMap(readsIn);
}

/** The mappings that each path of a transfer writes. */
function writesOf(contract: Contract, selector: string): readonly ReadonlySet<string>[] {
  return endingsOf(contract, selector).map(({ trace }) => {
    const writes = stepsOf(trace).filter((step): step is Write => step.kind === "write");
    return new Set(
      writes.map((write) => slotOf(write.key)).flatMap(({ name, keys }) => (keys.length > 0 ? [name] : [])),
    );
  });
}

/** The mappings in which each path of a transfer writes the sender's entry. */
function sentBy(contract: Contract, selector: string): readonly ReadonlySet<string>[] {
  const isSender = (key: Expr | undefined) =>
    key !== undefined && (selector === selectors.transfer ? key.op === "CALLER" : isArg(key, 0n));
  return endingsOf(contract, selector).map(({ trace }) => {
    const slots = stepsOf(trace).flatMap((step) => (step.kind === "write" ? [slotOf(step.key)] : []));
    return new Set(slots.filter(({ keys }) => isSender(keys[0])).map(({ name }) => name));
  });
}

/**
 * Mappings that a transfer writes both for the caller and for the receiver. They are the balances when `balanceOf` does
 * not tell.
 */
function movedIn(contract: Contract): readonly string[] {
  const byCaller = new Set<string>();
  const byReceiver = new Set<string>();
  for (const { trace } of endingsOf(contract, selectors.transfer)) {
    for (const step of stepsOf(trace)) {
      if (step.kind !== "write") continue;
      const { name, keys } = slotOf(step.key);
      if (keys.length === 1 && keys[0]?.op === "CALLER") byCaller.add(name);
      if (keys.length === 1 && keys[0] && isArg(keys[0], 0n)) byReceiver.add(name);
    }
  }
  return [...byCaller].filter((name) => byReceiver.has(name));
}

/**
 * Finds the token in a contract by the storage that its standard functions read and write. Undefined when the contract
 * is no token.
 */
export function tokenOf(contract: Contract): Token | undefined {
  const written = [...writesOf(contract, selectors.transfer), ...writesOf(contract, selectors.transferFrom)];
  const ever = new Set(written.flatMap((names) => [...names]));
  const reads = readsOf(contract, selectors.balanceOf).filter(({ keys }) => keys.some((key) => isArg(key, 0n)));
  const shown = reads.map(({ name }) => name);
  let balances = new Set(shown.filter((name) => ever.has(name)));
  if (balances.size === 0) balances = new Set(movedIn(contract));
  const isShown = showsAll(contract, balances);
  const ledger = balances.size === 0 ? ledgerOf(contract) : undefined;
  if (balances.size === 0 && ledger === undefined) return undefined;
  const sent = [...sentBy(contract, selectors.transfer), ...sentBy(contract, selectors.transferFrom)];
  const times = (name: string) => sent.filter((names) => names.has(name)).length;
  const most = Math.max(...[...balances].map(times));
  const primary = new Set([...balances].filter((name) => times(name) === most));
  const pairs = readsOf(contract, selectors.allowance).filter(
    ({ keys }) => keys.some((key) => isArg(key, 0n)) && keys.some((key) => isArg(key, 1n)),
  );
  const allowances = new Set([...pairs.map(({ name }) => name), ...lentIn(contract)]);
  const holderKey = Math.max(0, pairs[0]?.keys.findIndex((key) => isArg(key, 0n)) ?? 0);
  const supply = new Set(readsOf(contract, selectors.totalSupply).map(({ name }) => name));
  const ordinary = new Set([...balances, ...allowances, ...supply]);
  const balanceLayout = { names: balances, holderKey: 0, bits: bitsOf(reads), entries: entriesOf(contract, balances) };
  const allowanceLayout = { names: allowances, holderKey, bits: new Map(), entries: new Map() };
  const owner = ownerField(contract);
  return { balances, ledger, balanceLayout, isShown, primary, allowances, allowanceLayout, supply, owner, ordinary };
}

/**
 * Whether every answer of `balanceOf` depends on the holder's entry, or is zero. A number that the contract makes up
 * for a holder is no balance; the answer of another contract may be one.
 */
function showsAll(contract: Contract, balances: ReadonlySet<string>): boolean {
  const answers = endingsOf(contract, selectors.balanceOf).flatMap(({ result }) => result ?? []);
  const isOwn = (result: Expr) =>
    readsIn(result).some(({ name }) => balances.has(name)) || (result.marks & mark.call) !== 0;
  return answers.some(isOwn) && answers.every((result) => isOwn(result) || isNothing(result));
}

/** Zero, or a share of zero. */
function isNothing(result: Expr): boolean {
  const [whole] = result.args;
  return isConst(result) ? result.value === 0n : result.op === "DIV" && whole !== undefined && isNothing(whole);
}

/**
 * Temporary allowances, which `allowance` need not show: the values that `transferFrom` tests for the pair of holder
 * and caller.
 */
function lentIn(contract: Contract): readonly string[] {
  const forks = contract.functions.get(selectors.transferFrom)?.exploration.forks ?? [];
  const asked = forks.flatMap(({ tested }) => readsIn(tested)).filter(({ name }) => name.startsWith("transient:"));
  const isPair = ({ keys }: StorageField) =>
    keys.some((key) => isArg(key, 0n)) && keys.some(({ op }) => op === "CALLER");
  return asked.filter(isPair).map(({ name }) => name);
}

/** For each mapping, the bits that are read, when they are always the same. */
function bitsOf(reads: readonly StorageField[]): ReadonlyMap<string, Bits> {
  const found = new Map<string, Bits>();
  for (const { name, shift, width } of reads) {
    const before = found.get(name);
    const differs = before !== undefined && (before.shift !== shift || before.width !== width);
    found.set(name, differs ? { shift: 0, width: 256 } : { shift, width });
  }
  return found;
}

/** Storage keys of the balances of addresses that are written in the code. */
function entriesOf({ code, pool }: Contract, balances: ReadonlySet<string>): ReadonlyMap<bigint, Slot> {
  const found = new Map<bigint, Slot>();
  const addresses = new Set(
    [...instructions(code)].flatMap(([at, op]) => (op === PUSH20 ? [numberAt(code, at + 1, 20)] : [])),
  );
  for (const name of balances) {
    const slot = /^(0x[0-9a-f]+)\[\]$/.exec(name)?.[1];
    if (slot === undefined) continue;
    for (const address of addresses) {
      const entry = { name, keys: [pool.constant(address)] };
      for (const place of entriesAt(BigInt(slot), address)) found.set(place, entry);
    }
  }
  return found;
}

const PUSH20 = opcode.push0 + 20;

/** The field that owner() answers with. */
export function ownerField(contract: Contract): StorageField | undefined {
  for (const selector of [selectors.owner, selectors.getOwner]) {
    for (const { result } of endingsOf(contract, selector)) {
      const [field] = result ? readsIn(result) : [];
      if (field) return field;
    }
  }
  return undefined;
}
