import { chainByForm } from "./chain-by-form.ts";

/**
 * Forms of addresses on chains that are not screened, by currency. A form is listed only when no address of a screened
 * chain has it. Sources: the version bytes and prefixes of each chain's own address format.
 */
const forms: readonly (readonly [currency: string, form: RegExp])[] = [
  ["XMR", /^[48][1-9A-HJ-NP-Za-km-z]{94}(?:[1-9A-HJ-NP-Za-km-z]{11})?$/],
  ["LTC", /^(?:ltc1[02-9ac-hj-np-z]{11,71}|[LM][1-9A-HJ-NP-Za-km-z]{33})$/],
  ["ZEC", /^(?:t[13][1-9A-HJ-NP-Za-km-z]{33}|zs1[02-9ac-hj-np-z]{75}|u1[02-9ac-hj-np-z]{100,250})$/],
  ["DASH", /^X[1-9A-HJ-NP-Za-km-z]{33}$/],
  // Both chains have version byte 30.
  ["DOGE or XVG", /^D[1-9A-HJ-NP-Za-km-z]{33}$/],
  ["BTG", /^[AG][1-9A-HJ-NP-Za-km-z]{33}$/],
  ["XRP", /^(?:r[1-9A-HJ-NP-Za-km-z]{24,34}|X[1-9A-HJ-NP-Za-km-z]{46})$/],
  ["XLM", /^G[A-Z2-7]{55}$/],
  ["ADA", /^addr1[02-9ac-hj-np-z]{50,110}$/],
  ["TON", /^[EU]Q[A-Za-z0-9_-]{46}$/],
  ["ATOM", /^cosmos1[02-9ac-hj-np-z]{38}$/],
  ["BNB Beacon Chain", /^bnb1[02-9ac-hj-np-z]{38}$/],
  ["XTZ", /^(?:tz[1-4]|KT1)[1-9A-HJ-NP-Za-km-z]{33}$/],
];

/** The currency of a chain that is not screened and has addresses of this form. Undefined for any other text. */
export function unscreenedByForm(text: string): string | undefined {
  return forms.find(([, form]) => form.test(text))?.[0];
}

/** Whether the text has the form of an address of any chain, screened or not. */
export function isAddress(text: string): boolean {
  return chainByForm(text).ok || unscreenedByForm(text) !== undefined;
}
