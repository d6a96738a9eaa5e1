import { numberAt, SELECTOR_DIGITS, WORD_DIGITS, wordAt } from "./calls-inside.ts";
import { boundOf, type Payout, payee, tokenInList, tokenInPath } from "./payout.ts";
import { type ArgumentPosition, type PayoutRow, payoutRows } from "./payout-table.ts";
import { commandPayouts } from "./router-commands.ts";

/** The payments of a call. Undefined for an unknown function, and for a call without the necessary arguments. */
export function payoutsOf(call: string): readonly Payout[] | undefined {
  const commands = commandPayouts(call);
  if (commands !== "none") return commands;
  const row = payoutRows().get(call.slice(0, SELECTOR_DIGITS));
  if (row === undefined) return undefined;
  const body = call.slice(SELECTOR_DIGITS);
  const to = row.to === "caller" ? row.to : payee(wordOf(body, row.to), row.placeholders);
  if (to === undefined) return undefined;
  const token = tokenOf(body, row);
  const least = row.least === undefined ? undefined : boundOf(wordOf(body, row.least));
  const most = row.most === undefined ? undefined : boundOf(wordOf(body, row.most));
  const isTrade = row.least !== undefined && row.passesOn !== true;
  const paid: Payout = { to, token, least, most, isTrade, fee: undefined, takes: takesOf(body, row, token) };
  return row.fee === undefined ? [paid] : withFee(body, row.fee, paid);
}

function wordOf(body: string, place: ArgumentPosition): string {
  const base = typeof place === "number" ? 0 : numberAt(body, place.tuple * WORD_DIGITS);
  const word = typeof place === "number" ? place : place.word;
  return base === undefined ? "" : wordAt(body, 2 * base + word * WORD_DIGITS);
}

function tokenOf(body: string, { token }: PayoutRow): string | undefined {
  if (token === undefined) return undefined;
  if (typeof token === "number") return wordAt(body, token * WORD_DIGITS).slice(24) || undefined;
  if (typeof token === "object") {
    const list = numberAt(body, token.list * WORD_DIGITS);
    return list === undefined ? undefined : tokenInList(body, 2 * list);
  }
  const tuple = numberAt(body, 0);
  const offset = tuple === undefined ? undefined : numberAt(body, 2 * tuple);
  return tuple === undefined || offset === undefined ? undefined : tokenInPath(body, 2 * (tuple + offset), token);
}

/** SwapRouter02 trades its own balance when the input amount is 0. The token of that balance is not determined here. */
function takesOf(body: string, { passesOn, amountIn }: PayoutRow, token: string | undefined): Payout["takes"] {
  if (passesOn === true) return { token };
  const isOwn = amountIn !== undefined && /^0{64}$/.test(wordOf(body, amountIn));
  return isOwn ? { token: undefined } : undefined;
}

function withFee(body: string, fee: NonNullable<PayoutRow["fee"]>, paid: Payout): readonly Payout[] | undefined {
  const bips = wordAt(body, fee.bips * WORD_DIGITS);
  const to = payee(wordAt(body, fee.to * WORD_DIGITS), "none");
  if (bips === "" || to === undefined) return undefined;
  return [paid, { ...paid, to, isTrade: false, fee: BigInt(`0x${bips}`), takes: undefined }];
}
