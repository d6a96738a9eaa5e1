import { addBounded } from "../../kernel/add-bounded.ts";
import { editDistance } from "./edit-distance.ts";
import { camelCase, snakeCase } from "./spelling.ts";

/** A name that is none of ours, and the field that was probably meant. */
export interface Misnamed {
  readonly name: string;
  readonly meant: string;
}

const users = ["user_addresses", "user_address"];
const tokens = ["token_address", "token_addresses"];

/** What people call a field of ours, in letters only; of the fields that it may mean, the first that there is. */
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

/** Words of their own, however near they are to `lane` and `checks`; no verdict depends on their being read. */
const unrelated = new Set(["line", "lang", "checked", "checksum"]);

/**
 * Compiles the search for a name that was probably meant as one of `guarded`, which is all `fields` unless it is told.
 * Callers may add fields of their own, so an unknown one is no mistake by itself; but `user_adresses` passed over is a
 * question without users, and an ALLOW that rests on its answer would be wrong. The search passes over a name whose
 * field is among `given`.
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
  // A word more makes it another thing, not a slip: transaction_id, address_id.
  if (fields.some((field) => wordAfter(field, name))) return undefined;
  const near = fields
    .map((field) => ({ field, slips: slipsBetween(letters, lettersOf(field)) }))
    .filter(({ slips }) => slips !== undefined)
    .sort((a, b) => (a.slips ?? 0) - (b.slips ?? 0));
  return near[0]?.field;
}

/** Slips between two words, or undefined where there are too many for words of their length. */
function slipsBetween(a: string, b: string): number | undefined {
  const length = Math.min(a.length, b.length);
  // In `id` and `ref` one slip makes any short word; three letters must be the same.
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

/** `User-Adresses 2` -> `useradresses`. Letters of any script: a Cyrillic one in our name is a slip too. */
function lettersOf(name: string): string {
  return name.replace(/\P{L}/gu, "").toLowerCase();
}
