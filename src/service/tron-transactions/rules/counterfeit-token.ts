import type { RecognizedAddress } from "../recognized-address.ts";
import type { TronRule } from "./rule.ts";

/**
 * T11: the called contract imitates a well-known token or protocol. A token that another contract's call names, for
 * example the token to buy, is checked as well.
 */
export const counterfeitToken: TronRule = ({ contract, counterparty, imitationNamed }) => {
  // `resembles_label` reports an imitation that is itself the counterparty.
  const called = counterparty?.address === contract?.address ? undefined : textOf("contract", contract);
  const named = counterparty?.address === imitationNamed?.address ? undefined : textOf("token", imitationNamed);
  return called ?? named;
};

function textOf(what: string, known: RecognizedAddress | undefined): string | undefined {
  if (known?.imitated === undefined) return undefined;
  return `the ${what} ${known.address} looks like ${known.imitated.name} (${known.imitated.address}) and is another`;
}
