import { selectors } from "../contract.ts";
import type { FindingName, Sign } from "../findings/finding.ts";
import { outside, readOf, readsIn, type StorageField, sameBits } from "../findings/slot.ts";
import { type Expr, isConst, mark, parts } from "../machine/expr.ts";
import type { OwnerWrite, View } from "../paths/view.ts";
import { isAbout, isCounter, policyReads, type Scene, type Test, usesOf } from "./policy.ts";
import { isPersonal, type Roles, rolesOf } from "./roles.ts";
import { isLock, type Settings, settingsOf, writesTo } from "./setting.ts";
import { type Decider, type Stop, stopsOf } from "./stop.ts";

/**
 * Finds rules that can keep a holder from sending: every test on the path with an outcome that an owner can change.
 * Of the tests before the last one, switches and times count as rules of their own. Lists and single addresses only
 * limit the parties to which the last test applies. They count as a rule when the last test is only an exception for an
 * address.
 */
export function limitSigns(view: View): readonly Sign[] {
  const scene: Scene = { view, settings: settingsOf(view), uses: usesOf(view) };
  const signs: Sign[] = [];
  const told = new Set<string>();
  for (const stop of stopsOf(scene)) {
    const { last, before } = stop;
    // Many paths reach a test through the same earlier tests.
    const name = nameOf(stop);
    if (told.has(name)) continue;
    told.add(name);
    if (before.some((test) => isForBuyers(scene, test) || isWithoutLeave(scene, test))) continue;
    const passing = before.some((test) => isOpening(scene, test) || (test.tested.marks & mark.time) !== 0);
    const main = [...signsOf(scene, last), ...(passing ? [] : fixedSigns(last))];
    const earlier = before.flatMap((test) => signsOf(scene, test));
    const spared = before.some((test) => sparesPair(scene, test, before));
    const rules = (spared ? main.map(asBuyers) : main).filter(({ name }) => name !== "identity");
    const others = earlier.filter(({ name }) => name !== "identity");
    if (rules.length > 0) signs.push(...named(rules), ...named(others.filter(({ name }) => !lists.has(name))));
    else if (others.length > 0) signs.push(...named(others));
    else signs.push(...main.map((sign): Sign => ({ ...sign, name: "whitelist" })));
  }
  return signs;
}

/** Distinguishes stops as far as their signs differ. */
const nameOf = ({ last, before }: Stop): string =>
  [
    last.selector,
    ...[last, ...before].map(({ tested, truth, offset }) => `${tested.id} ${truth} ${offset}`),
    ...before.map(({ only }) => only),
  ].join();

/**
 * Whether a test applies to buyers only. The sender must be one stored or fixed address, or be on a list. The list
 * counts when receivers are looked up in it too. Such a sender is the pair of an exchange, from which tokens are
 * bought.
 */
function isForBuyers({ view }: Scene, { tested, truth, only, selector }: Decider): boolean {
  const roles = rolesOf[selector];
  if (!roles || !only || !truth) return false;
  const [a, b] = tested.args;
  if (tested.op === "EQ" && a && b) return (roles.isFrom(a) && isFixed(b)) || (roles.isFrom(b) && isFixed(a));
  const field = readOf(tested);
  if (!field?.keys.some(roles.isFrom)) return false;
  return view.forks.some((each) => {
    const read = each.selector === selector ? readOf(each.fork.tested) : undefined;
    return read !== undefined && sameBits(read, field) && read.keys.some(roles.isTo);
  });
}

/**
 * Whether a test applies only when the allowance is too small. Then the last test decides which other callers may take
 * tokens. It keeps no holder from selling.
 */
const isWithoutLeave = ({ view }: Scene, { tested, truth, only }: Decider): boolean =>
  only &&
  truth &&
  tested.op === "LT" &&
  readsIn(tested.args[0] ?? tested).some(({ name }) => view.token.allowances.has(name));

/**
 * Whether a test is skipped for one fixed receiver that is no exception as a sender: the pair, to which tokens are
 * sold. The rule then bounds the tokens that other receivers may get, like a largest wallet.
 */
function sparesPair({ view }: Scene, { tested, truth, only, selector }: Decider, all: readonly Decider[]): boolean {
  const roles = rolesOf[selector];
  const [a, b] = tested.args;
  if (!roles || !only || truth || tested.op !== "EQ" || !a || !b) return false;
  const pair = roles.isTo(a) ? b : roles.isTo(b) ? a : undefined;
  if (!pair || !isFixed(pair)) return false;
  const isAsSender = ({ op, args }: Expr) => op === "EQ" && args.includes(pair) && args.some(roles.isFrom);
  return (
    !all.some((test) => isAsSender(test.tested)) &&
    view.forks.some((each) => each.selector === selector && isAsSender(each.fork.tested))
  );
}

const asBuyers = (hint: Hint): Hint => (hint.name === "max_transaction" ? { ...hint, confidence: 0.4 } : hint);

const lists: ReadonlySet<string> = new Set(["blacklist", "whitelist"]);

/** A sign, or the observation that a single address is treated differently. */
type Hint = Omit<Sign, "name"> & { readonly name: FindingName | "identity" };

const named = (hints: readonly Hint[]): readonly Sign[] =>
  hints.flatMap(({ name, ...rest }) => (name === "identity" ? [] : [{ name, ...rest }]));

/** The signs of a test, one for each variable in it that an owner writes. */
function signsOf({ view, settings }: Scene, test: Test): readonly Hint[] {
  const roles = rolesOf[test.selector];
  const found: Hint[] = [];
  if (!roles) return found;
  for (const field of policyReads(view, test.tested, roles)) {
    const own = writesTo(settings.own, field);
    // Voting keeps checkpoints in lists for each address. They hold times that order them, so they are no cooldown.
    const personal = field.keys.length === 1 && !field.name.includes("{}");
    const base = { selector: test.selector, slot: field.name, offset: test.offset };
    if (personal && own.some(({ value }) => value.marks & mark.time)) {
      found.push({ name: "cooldown", confidence: 0.4, ...base });
    }
    // An entry of a party other than sender and receiver is bookkeeping; mostly it is the contract's own. An entry with
    // a constant key is a variable.
    if (!field.keys.every(isConst) && !isPersonal(field, roles)) continue;
    if (field.keys.length === 0 && test.tested.op === "LT" && isCounter(settings, field)) continue;
    const writer = writesTo(settings.rules, field)[0];
    if (writer) found.push(hintOf(test, field, writer, roles, view));
    else if (personal && onlyShrinks(settings, field) && !test.tested.args.some((side) => isAbout(side, roles))) {
      found.push({ name: "whitelist", confidence: 0.7, ...base, note: "a number for each that nobody can raise" });
    } else if (personal && fillsItself(test, own)) {
      found.push({ name: "blacklist", confidence: 0.6, ...base, note: "a list that transfers themselves fill" });
    }
  }
  return found;
}

/**
 * Whether every write to a number reduces it. Then an address without an amount from the constructor has none for good.
 */
function onlyShrinks(settings: Settings, field: StorageField): boolean {
  const writes = writesTo(settings.all, field);
  const isLess = ({ op, args: [, by] }: Expr) =>
    op === "SUB" || (op === "ADD" && by && isConst(by) && by.value > 1n << 255n);
  const shrinks = (value: Expr) => isLess(value) && readsIn(value).some((read) => sameBits(read, field));
  return writes.length > 0 && writes.every(({ value }) => shrinks(value));
}

/** Whether transfers permanently set a flag for an address that stops a later transfer. */
const fillsItself = ({ tested, truth }: Test, own: Settings["own"]): boolean =>
  truth &&
  (tested.op === "FIELD" || tested.op === "SLOAD") &&
  own.some((write) => isFlag(write.value) && !isLock(write));

const isFlag = (value: Expr) => (isConst(value) && value.value > 0n) || (value.op === "OR" && value.args.some(isConst));

/**
 * Whether a test concerns a value that transfers change permanently, for example that the creator made the first
 * transfer.
 */
function isOpening({ settings }: Scene, { tested, only }: Decider): boolean {
  const field = readOf(tested);
  if (!only || !field || field.keys.length > 0) return false;
  return writesTo(settings.own, field).some((write) => !isLock(write));
}

/** Only an address in the code passes the test. */
function fixedSigns({ tested, truth, selector, offset }: Test): readonly Hint[] {
  const roles = rolesOf[selector];
  const [a, b] = tested.args;
  if (tested.op !== "EQ" || truth || !roles || !a || !b) return [];
  const isSender = (side: Expr) => roles.isFrom(side) || side.op === "CALLER";
  if (!(isSender(a) && isFixed(b)) && !(isSender(b) && isFixed(a))) return [];
  return [{ name: "identity", confidence: 0.7, selector, offset, note: "only one address passes" }];
}

/** A number in the code, or a stored value without a key. */
const isFixed = (side: Expr) =>
  isConst(side) || (readsIn(side).length > 0 && readsIn(side).every(({ keys }) => keys.length === 0));

function hintOf(
  { tested, truth, selector, offset }: Test,
  field: StorageField,
  writer: OwnerWrite,
  roles: Roles,
  view: View,
): Hint {
  const all = [...parts(tested, outside)];
  const base = { selector: writer.selector, slot: field.name, offset };
  const by = writer.path.guards.length > 0 ? "written by" : "written by anybody in";
  const note = (text: string) => `${text}; stops ${functionNames[selector] ?? selector}, ${by} ${writer.selector}`;
  const named = (name: Hint["name"], confidence: number, text: string): Hint => ({
    name,
    confidence,
    ...base,
    note: note(text),
  });
  const byPerson = isPersonal(field, roles);
  if (all.some((part) => part.op === "TIMESTAMP" || part.op === "NUMBER")) return named("cooldown", 0.85, "a time");
  if (tested.op === "LT" || tested.op === "SLT") {
    if (byPerson) return named("personal_limit", 0.85, "a number kept for each address");
    const kept = readsIn(tested).some(({ name, keys }) => view.token.balances.has(name) && keys.some(roles.isTo));
    return kept
      ? named("max_wallet", 0.8, "most that a receiver may hold")
      : named("max_transaction", 0.85, "an amount");
  }
  if (byPerson)
    return truth ? named("blacklist", 0.9, "a list of addresses") : named("whitelist", 0.85, "a list of addresses");
  if (tested.op === "EQ" && tested.marks & (mark.caller | mark.calldata)) {
    if (truth && field.name.includes("{}")) return named("blacklist", 0.8, "a list of addresses");
    return named("identity", 0.6, "one address is treated apart");
  }
  return named("pausable", 0.9, "a switch");
}

const functionNames: Readonly<Record<string, string>> = {
  [selectors.transfer]: "transfer",
  [selectors.transferFrom]: "transferFrom",
  [selectors.approve]: "approve",
  [selectors.increaseAllowance]: "increaseAllowance",
};
