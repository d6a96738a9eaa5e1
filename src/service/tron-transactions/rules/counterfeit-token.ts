import type { RecognizedAddress } from "../recognized-address.ts";
import type { TronRule } from "./rule.ts";

/**
 * T11: the contract that is called was made to be taken for a well-known token or protocol; or a token that is named in the
 * call of another was, as what is bought.
 */
export const counterfeitToken: TronRule = ({ contract, counterparty, imitationNamed }) => {
  // Where an imitation itself is the one dealt with, `resembles_label` says it.
  const called = counterparty?.address === contract?.address ? undefined : textOf("contract", contract);
  const named = counterparty?.address === imitationNamed?.address ? undefined : textOf("token", imitationNamed);
  return called ?? named;
};

function textOf(what: string, known: RecognizedAddress | undefined): string | undefined {
  if (known?.imitated === undefined) return undefined;
  return `the ${what} ${known.address} looks like ${known.imitated.name} (${known.imitated.address}) and is another`;
}
