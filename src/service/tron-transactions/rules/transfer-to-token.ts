import type { TronRule } from "./rule.ts";

/** T13: a payment to a token's own contract is lost, because no key can send it on. */
export const transferToToken: TronRule = ({ counterparty, contract, chain }) => {
  if (counterparty?.role !== "recipient" && counterparty?.role !== "beneficiary") return undefined;
  const isItself = counterparty.address === contract?.address;
  if (!counterparty.isToken && !isItself && !isTokenCode(chain?.counterpartyCode ?? "")) return undefined;
  return `the ${counterparty.role} ${counterparty.address} is a token's contract: what is sent there is lost`;
};

/**
 * totalSupply(), balanceOf(address) and transfer(address,uint256), as compilers compare a selector: PUSH4 and its
 * bytes.
 */
const tokenFunctions = ["6318160ddd", "6370a08231", "63a9059cbb"];

/** A proxy's code does not show whether it is a token. */
function isTokenCode(code: string): boolean {
  return tokenFunctions.every((compared) => code.includes(compared));
}
