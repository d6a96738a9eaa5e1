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
 * Finds what can keep a holder from sending: every test on the way whose outcome an owner can change. Of the tests
 * before the last one, switches and times count by themselves; lists and single addresses say only for whom the last
 * test is made, unless that one is nothing but an exception for an address.
 */
export function limitSigns(view: View): readonly Sign[] {
  const scene: Scene = { view, settings: settingsOf(view), uses: usesOf(view) };
  const signs: Sign[] = [];
  const told = new Set<string>();
  for (const stop of stopsOf(scene)) {
    const { last, before } = stop;
    // Many paths come to the same test by the same ones.
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

/** Tells a stop from others as far as signs do. */
const nameOf = ({ last, before }: Stop): string =>
  [
    last.selector,
    ...[last, ...before].map(({ tested, truth, offset }) => `${tested.id} ${truth} ${offset}`),
    ...before.map(({ only }) => only),
  ].join();

/**
 * Whether a test is met only by one sender that is stored or fixed, or by those on a list that receivers are looked up in,
 * too: the pair of an exchange, from which tokens are bought. What is asked then is asked of buyers.
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

/** Whether a test is only met by who may not spend so much: what else lets it takes tokens, and keeps nobody's. */
const isWithoutLeave = ({ view }: Scene, { tested, truth, only }: Decider): boolean =>
  only &&
  truth &&
  tested.op === "LT" &&
  readsIn(tested.args[0] ?? tested).some(({ name }) => view.token.allowances.has(name));

/**
 * Whether a test is not met where one fixed receiver gets tokens, who is no exception as a sender: the pair, to which tokens
 * are sold. What is asked then bounds what others may be sent, as a largest wallet does.
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

/** A sign, or one that a single address is treated apart. */
type Hint = Omit<Sign, "name"> & { readonly name: FindingName | "identity" };

const named = (hints: readonly Hint[]): readonly Sign[] =>
  hints.flatMap(({ name, ...rest }) => (name === "identity" ? [] : [{ name, ...rest }]));

/** What a test says of each variable in it that an owner writes. */
function signsOf({ view, settings }: Scene, test: Test): readonly Hint[] {
  const roles = rolesOf[test.selector];
  const found: Hint[] = [];
  if (!roles) return found;
  for (const field of policyReads(view, test.tested, roles)) {
    const own = writesTo(settings.own, field);
    // Checkpoints, as voting keeps them in lists for each address, hold times that order them.
    const personal = field.keys.length === 1 && !field.name.includes("{}");
    const base = { selector: test.selector, slot: field.name, offset: test.offset };
    if (personal && own.some(({ value }) => value.marks & mark.time)) {
      found.push({ name: "cooldown", confidence: 0.4, ...base });
    }
    // An entry of another than sender and receiver, the contract itself as a rule, is bookkeeping; one of a number is a variable.
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

/** Whether all that is ever done to a number is to take from it: who was given none by the constructor has none. */
function onlyShrinks(settings: Settings, field: StorageField): boolean {
  const writes = writesTo(settings.all, field);
  const isLess = ({ op, args: [, by] }: Expr) =>
    op === "SUB" || (op === "ADD" && by && isConst(by) && by.value > 1n << 255n);
  const shrinks = (value: Expr) => isLess(value) && readsIn(value).some((read) => sameBits(read, field));
  return writes.length > 0 && writes.every(({ value }) => shrinks(value));
}

/** Whether transfers set a flag for somebody, for good, that stops a later transfer. */
const fillsItself = ({ tested, truth }: Test, own: Settings["own"]): boolean =>
  truth &&
  (tested.op === "FIELD" || tested.op === "SLOAD") &&
  own.some((write) => isFlag(write.value) && !isLock(write));

const isFlag = (value: Expr) => (isConst(value) && value.value > 0n) || (value.op === "OR" && value.args.some(isConst));

/** Whether a test is of what transfers themselves change for good: that the first of them was one by the maker. */
function isOpening({ settings }: Scene, { tested, only }: Decider): boolean {
  const field = readOf(tested);
  if (!only || !field || field.keys.length > 0) return false;
  return writesTo(settings.own, field).some((write) => !isLock(write));
}

/** An address in the code that alone passes. */
function fixedSigns({ tested, truth, selector, offset }: Test): readonly Hint[] {
  const roles = rolesOf[selector];
  const [a, b] = tested.args;
  if (tested.op !== "EQ" || truth || !roles || !a || !b) return [];
  const isSender = (side: Expr) => roles.isFrom(side) || side.op === "CALLER";
  if (!(isSender(a) && isFixed(b)) && !(isSender(b) && isFixed(a))) return [];
  return [{ name: "identity", confidence: 0.7, selector, offset, note: "only one address passes" }];
}

/** A number in the code, or what storage holds for nobody in particular. */
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
