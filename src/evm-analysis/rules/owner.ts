import type { Contract } from "../contract.ts";
import { endingsOf, selectors } from "../contract.ts";
import type { Sign } from "../findings/finding.ts";
import type { Guard } from "../findings/permission.ts";
import { fieldsWritten, readOf, readsIn, type StorageField, sameBits } from "../findings/slot.ts";
import { type Expr, isConst, mark } from "../machine/expr.ts";
import type { Step } from "../paths/path.ts";
import { movers, type PathView, type View } from "../paths/view.ts";

/** A field that the caller is compared with, and the functions that it opens. */
interface Authority {
  readonly field: StorageField;
  readonly selectors: ReadonlySet<string>;
}

const sameField = (a: StorageField, b: StorageField) => a.name === b.name && a.shift === b.shift;

/** Every field that opens functions with writes, the field that opens most functions first. */
export function authoritiesOf(paths: readonly PathView[]): readonly Authority[] {
  const found: { readonly field: StorageField; readonly selectors: Set<string> }[] = [];
  for (const path of paths) {
    if (movers.has(path.selector) || !path.steps.some(({ kind }) => kind === "write")) continue;
    for (const guard of path.guards) {
      if (guard.kind !== "slot" || guard.field.keys.length > 0) continue;
      let known = found.find(({ field }) => sameField(field, guard.field));
      if (!known) {
        known = { field: guard.field, selectors: new Set() };
        found.push(known);
      }
      known.selectors.add(path.selector);
    }
  }
  return found.sort((a, b) => b.selectors.size - a.selectors.size);
}

/** Signs that an address other than the shown owner has power, or that renounced ownership is not given up. */
export function ownerSigns(view: View): readonly Sign[] {
  return [...hiddenOwners(view), ...takeBacks(view), ...fakeRenounce(view)];
}

/** Powers of an address that owner() does not show. With such powers a contract only looks renounced. */
function hiddenOwners(view: View): readonly Sign[] {
  const { owner } = view.token;
  const shown = view.contract.functions.has(selectors.owner) || view.contract.functions.has(selectors.getOwner);
  if (!shown) return [];
  const signs: Sign[] = [];
  for (const { field, selectors: opened } of authoritiesOf(view.paths)) {
    if (owner && sameBits(field, owner)) continue;
    if (isAppointed(view, field, owner) || remembers(view, field, owner)) continue;
    const [selector = ""] = opened;
    const note = `the caller must be the address in ${field.name}, which owner() does not show`;
    signs.push({ name: "hidden_owner", confidence: owner ? 0.75 : 0.9, selector, slot: field.name, note });
  }
  for (const path of view.paths) {
    // A spender that a token trusts for every holder is no owner. Some tokens trust Permit2 like this.
    if (movers.has(path.selector)) continue;
    const constant = path.guards.find((guard) => guard.kind === "constant");
    if (constant?.kind !== "constant" || !changesRules(view, path)) continue;
    const note = `the caller must be 0x${constant.address.toString(16).padStart(40, "0")}, written in the code`;
    signs.push({ name: "hidden_owner", confidence: 0.75, selector: path.selector, offset: constant.pc, note });
  }
  return signs;
}

const changesRules = (view: View, path: PathView) => view.ownerWrites.some((write) => write.path === path);

/** The field holds a former owner. Its power is to take the ownership back, which is a separate finding. */
const remembers = (view: View, field: StorageField, owner: StorageField | undefined) =>
  owner !== undefined &&
  view.ownerWrites.some((write) => sameBits(write.field, field) && readsField(write.value, owner));

/** An office that the owner fills openly: a pending owner, a minter, a fee collector. */
function isAppointed(view: View, field: StorageField, owner: StorageField | undefined): boolean {
  const writes = view.ownerWrites.filter((write) => sameBits(write.field, field) && !isCleared(write.value));
  if (writes.length === 0 || owner === undefined) return false;
  const byOwner = (path: PathView) => opensWith(path.guards, owner);
  // The holder of an office may pass it on.
  if (!writes.some(({ path }) => byOwner(path))) return false;
  return writes.every(({ path, value }) => {
    return (byOwner(path) || opensWith(path.guards, field)) && !readsField(value, owner);
  });
}

/** Zero, alone or beside the bits that the word keeps. */
const isCleared = (value: Expr) =>
  isConst(value) ||
  (value.op === "AND" && readOf(value) === undefined && value.args.every((arg) => isConst(arg) || arg.op === "SLOAD"));

const opensWith = (guards: readonly Guard[], field: StorageField) =>
  guards.some((guard) => guard.kind === "slot" && sameBits(guard.field, field));

const readsField = (value: Parameters<typeof readsIn>[0], field: StorageField) =>
  readsIn(value).some((read) => sameField(read, field));

/** Paths to the ownership that do not need the owner. */
function takeBacks(view: View): readonly Sign[] {
  const { owner } = view.token;
  if (!owner) return [];
  const signs: Sign[] = [];
  for (const path of view.paths) {
    const write = ownerWrite(path.steps, owner);
    if (!write || opensWith(path.guards, owner) || isOnce(path.steps)) continue;
    if (isConst(write.value) && write.value.value === 0n) continue;
    const heir = path.guards.find((guard) => guard.kind === "slot");
    if (heir?.kind === "slot" && isAppointed(view, heir.field, owner)) continue;
    // Another contract decides here. It was appointed, and its rules cannot be read from this code.
    if (path.guards.some(({ kind }) => kind === "asked")) continue;
    const byRole = path.guards.some(({ kind }) => kind === "role" || kind === "signature");
    const note = heir
      ? "by another address than the owner"
      : byRole
        ? "by a role"
        : "by a path the owner need not open";
    const base = { selector: path.selector, slot: owner.name, offset: write.pc, note };
    signs.push({ name: "take_back_ownership", confidence: byRole ? 0.5 : 0.85, ...base });
  }
  return signs;
}

function ownerWrite(steps: readonly Step[], owner: StorageField) {
  for (const step of steps) {
    if (step.kind !== "write") continue;
    if (fieldsWritten(step.key, step.value).some((field) => sameBits(field, owner))) return step;
  }
  return undefined;
}

/** Initializers: a tested counter or flag is set, so that the path cannot run again. */
function isOnce(steps: readonly Step[]): boolean {
  const tested = steps.flatMap((step) => (step.kind === "branch" ? readsIn(step.tested) : []));
  return steps.some(
    (step) =>
      step.kind === "write" &&
      (step.value.marks & (mark.calldata | mark.caller)) === 0 &&
      fieldsWritten(step.key, step.value).some((field) => tested.some((read) => sameBits(read, field))),
  );
}

/** A renounceOwnership that succeeds but keeps the owner. */
function fakeRenounce({ contract, token, paths }: View): readonly Sign[] {
  const endings = endingsOf(contract, selectors.renounceOwnership);
  if (endings.length === 0) return [];
  const [first] = authoritiesOf(paths);
  const real = first?.field ?? token.owner;
  if (!real) return [];
  const path = paths.find(({ selector, steps }) => selector === selectors.renounceOwnership && !clears(steps, real));
  if (!path) return [];
  const note = "renounceOwnership leaves the address that opens the owner's functions in its place";
  return [{ name: "fake_renounce", confidence: 0.8, selector: selectors.renounceOwnership, slot: real.name, note }];
}

/** Whether the field becomes zero, or an address without a known key. */
function clears(steps: readonly Step[], field: StorageField): boolean {
  const write = ownerWrite(steps, field);
  if (!write) return false;
  const { value } = write;
  if (isConst(value)) return value.value <= 0xffffn || value.value === DEAD;
  return readOf(value) === undefined && (value.marks & (mark.caller | mark.calldata)) === 0;
}

/** The burn address of only "dead" digits. */
const DEAD = 0xdeadn;

/** The owner field that functions check. owner() may show another field, or none. */
export function ruler(
  contract: Contract,
  paths: readonly PathView[],
  shown: StorageField | undefined,
): StorageField | undefined {
  return contract.functions.size > 0 ? (authoritiesOf(paths)[0]?.field ?? shown) : shown;
}
