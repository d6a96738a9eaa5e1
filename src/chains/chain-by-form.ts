import { fail, ok, type Result } from "../kernel/result.ts";
import { parseAddress } from "./address.ts";
import { families } from "./chain.ts";

/** Ethereum stands for all chains of the EVM family. */
const chainOf = { evm: "1", tron: "tron", solana: "solana", bitcoin: "bitcoin" } as const;
const titles = { evm: "EVM", tron: "TRON", solana: "Solana", bitcoin: "Bitcoin" } as const;

/**
 * Forms that belong to one family only. They also match addresses with a typing error, so that the family's parser
 * reports the error.
 */
const forms = [
  ["evm", /^0[xX]/],
  ["tron", /^(T[1-9A-HJ-NP-Za-km-z]{33}|41[0-9a-fA-F]{40})$/],
  ["bitcoin", /^((bc1|BC1)|[13][1-9A-HJ-NP-Za-km-z]{25,33}$)/],
] as const;

const hash = /^0x[0-9a-fA-F]{64}$/;
const bareHex = /^[0-9a-fA-F]{40}$/;
const named = /^[^\s.]+(\.[^\s.]+)+$/;

/**
 * The id of the chain that the form of an address implies. A failure says why no chain matches; the function does not
 * guess.
 */
export function chainByForm(text: string): Result<string> {
  const faults: string[] = [];
  for (const family of families) {
    const parsed = parseAddress(family, text);
    if (parsed.ok) return ok(chainOf[family]);
    faults.push(`${titles[family]}: ${parsed.detail}`);
  }
  if (hash.test(text)) return fail("it has 64 hex digits, as hashes and keys have; an address of an EVM chain has 40");
  if (bareHex.test(text)) return fail(`it has 40 hex digits: an address of an EVM chain begins with 0x, so 0x${text}`);
  const form = forms.find(([, pattern]) => pattern.test(text));
  if (form !== undefined) return ok(chainOf[form[0]]);
  if (named.test(text)) return fail("it is a name: look up the address that it stands for, and check that");
  return fail(faults.join("; "));
}
