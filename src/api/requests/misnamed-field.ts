import { addBounded } from "../../kernel/collections.ts";
import { editDistance } from "./edit-distance.ts";
import { camelCase, snakeCase } from "./spelling.ts";

/** An unknown name, and the field that was probably meant. */
export interface Misnamed {
  readonly name: string;
  readonly meant: string;
}

const users = ["user_addresses", "user_address"];
const tokens = ["token_address", "token_addresses"];

/** Common synonyms of the fields, in letters only. A synonym stands for the first existing field of its list. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  ...named(users, ["user", "users", "userlist", "useraddr", "useraddrs", "useraddresslist"]),
  ...named(users, ["wallet", "wallets", "userwallet", "userwallets", "walletaddress", "walletaddresses"]),
  ...named(users, ["knownaddress", "knownaddresses", "knownwallets", "myaddresses", "ownaddresses"]),
  ...named(tokens, ["token", "tokens", "tokenaddr", "tokencontract", "contractaddress"]),
  ...named(["chain_id"], ["chain", "chains", "network", "networkid", "blockchain"]),
  ...named(
    ["target_addresses", "address"],
    ["addr", "addresses", "target", "targets", "targetaddress", "targetaddresses"],
  ),
  ...named(["tenant"], ["tenantid"]),
};

function named(fields: readonly string[], words: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(words.map((word) => [word, fields]));
}

/** Words with another meaning, although they are similar to `lane` and `checks`. No verdict depends on them. */
const unrelated = new Set(["line", "lang", "checked", "checksum"]);

/**
 * Compiles the search for names that probably mean one of `guarded`, by default one of all `fields`. Callers may add
 * fields of their own, so an unknown name alone is no mistake. But if `user_adresses` were ignored, the question would
 * have no users, and an ALLOW from its answer would be wrong. Names of fields among `given` are ignored.
 */
export function misnamedAmong(
  fields: readonly string[],
  guarded: readonly string[] = fields,
): (names: Iterable<string>, given?: ReadonlySet<string>) => Misnamed | undefined {
  const accepted = new Set(fields.flatMap((field) => [field, camelCase(field)]));
  const meantBy = addBounded((name) => fieldMeant(name, guarded));
  return (names, given) => {
    for (const name of names) {
      const meant = accepted.has(name) ? undefined : meantBy(name);
      if (meant !== undefined && given?.has(meant) !== true) return { name, meant };
    }
    return undefined;
  };
}

function fieldMeant(name: string, fields: readonly string[]): string | undefined {
  const letters = lettersOf(name);
  if (unrelated.has(letters)) return undefined;
  const synonym = (Object.hasOwn(synonyms, letters) ? synonyms[letters] : undefined)?.find((field) =>
    fields.includes(field),
  );
  if (synonym !== undefined) return synonym;
  // An additional word makes it another thing, not a typing error: transaction_id, address_id.
  if (fields.some((field) => wordAfter(field, name))) return undefined;
  const near = fields
    .map((field) => ({ field, slips: slipsBetween(letters, lettersOf(field)) }))
    .filter(({ slips }) => slips !== undefined)
    .sort((a, b) => (a.slips ?? 0) - (b.slips ?? 0));
  return near[0]?.field;
}

/** Typing errors between two words. Undefined when there are too many for the length of the words. */
function slipsBetween(a: string, b: string): number | undefined {
  const length = Math.min(a.length, b.length);
  // In `id` and `ref`, one typing error gives any short word. Names of three letters must be equal.
  const limit = length <= 3 ? 0 : length < 6 ? 1 : 2;
  const slips = editDistance(a, b, limit);
  return slips > limit ? undefined : slips;
}

function wordAfter(field: string, name: string): boolean {
  const folded = foldedName(name);
  return folded.startsWith(`${field}_`) && /^\p{L}{2,}$/u.test(folded.slice(field.length + 1));
}

/** userAddresses, User Addresses, user-addresses -> user_addresses. */
export function foldedName(name: string): string {
  return snakeCase(name.replace(/[\s-]+/g, "_"));
}

/**
 * `User-Adresses 2` -> `useradresses`. Letters of any script count, because a Cyrillic letter in a name is a typing
 * error too.
 */
function lettersOf(name: string): string {
  return name.replace(/\P{L}/gu, "").toLowerCase();
}
