import type { StateOverride } from "../../service/evm/node.ts";
import { hex } from "./answer-values.ts";

/** A state override set in the form of nodes. Source: geth's documentation of eth_call, "State override set". */
export function overridesJson(overrides: readonly StateOverride[]): Readonly<Record<string, object>> {
  const entries = overrides.map(({ address, code, balance, words }) => [
    address,
    {
      ...(code === undefined ? {} : { code }),
      ...(balance === undefined ? {} : { balance: hex(balance) }),
      ...(words === undefined ? {} : { stateDiff: words }),
    },
  ]);
  return Object.fromEntries(entries);
}
