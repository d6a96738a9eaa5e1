import type { Dice } from "./scenario.ts";
import type { LoggedItem } from "./service-log.ts";

export interface BatchAnswer {
  readonly targets: LoggedItem[];
  readonly tokens: LoggedItem[];
}

/** A wrong answer: an item is missing, doubled, superfluous, or under the address of another item. */
export function mixUp({ targets, tokens }: BatchAnswer, dice: Dice): BatchAnswer {
  const inTokens = tokens.length > 0 && dice.chance(0.3);
  const items = inTokens ? [...tokens] : [...targets];
  const at = dice.int(0, items.length - 1);
  const item = items[at];
  const other = items[dice.int(0, items.length - 1)];
  if (item === undefined || other === undefined) return { targets, tokens };
  const kind = dice.pick(["missing", "doubled", "extra", "swapped"]);
  if (kind === "missing") items.splice(at, 1);
  else if (kind === "doubled") items.push(item);
  else if (kind === "extra") items.push({ ...item, address: `0x${dice.hex(40)}` });
  else items[at] = { ...item, chain_id: other.chain_id, address: other.address };
  return inTokens ? { targets, tokens: items } : { targets: items, tokens };
}

/** An answer in which no user is imitated any more, whatever the request asked. */
export function withoutHearing({ targets, tokens }: BatchAnswer): BatchAnswer {
  const quiet = (item: LoggedItem) =>
    item.flags === undefined
      ? item
      : { ...item, flags: { ...item.flags, mimics_user: "0", is_poisoning: item.flags["mimics_exchange"] ?? "0" } };
  return { targets: targets.map(quiet), tokens };
}

/**
 * The answer in random order. Either it has only the members of the interface, or every item has a stamp. The evidence
 * keeps the stamp, as it keeps every addition of a service.
 */
export function answeredWith({ targets, tokens }: BatchAnswer, stamp: object, dice: Dice): unknown {
  const written = ({ flags, ...item }: LoggedItem) =>
    flags === undefined
      ? { ...item, error: { code: "invalid_address", detail: "not an address" } }
      : { ...item, ...flags, ...stamp };
  const shuffled = (items: readonly LoggedItem[]) => {
    const left = [...items];
    return items.map(() => written(left.splice(dice.int(0, left.length - 1), 1)[0] as LoggedItem));
  };
  return {
    code: "0",
    status: "ok",
    data: { target_addresses: shuffled(targets), token_addresses: shuffled(tokens) },
  };
}
