import type { CanonicalAddress } from "../address.ts";
import { parseAddress } from "../address.ts";
import { selectorOf } from "../evm/read-transaction.ts";
import { callsInside, numberAt, SELECTOR_DIGITS, WORD_DIGITS, wordAt } from "./calls-inside.ts";

/** Where an argument stands: a word of the head, or a word of a tuple that a word of the head points at. */
type Place = number | { readonly tuple: number; readonly word: number };

interface Row {
  readonly at: Place;
  /** 0, 1 and 2 stand for the router or its caller, as in the routers of Uniswap V3. */
  readonly hasPlaceholders?: true;
}

const at = (place: Place): Row => ({ at: place });
const ofV3 = (place: Place): Row => ({ at: place, hasPlaceholders: true });

/**
 * Who gets what a call yields, by its signature. Sources: Uniswap V2 and V3 periphery, of which SunSwap's are copies;
 * SunSwap V1 (JustSwap) and its smart router; ERC-4626; Aave's pools.
 */
const recipients: Readonly<Record<string, Row>> = {
  "swapExactTokensForTokens(uint256,uint256,address[],address,uint256)": at(3),
  "swapTokensForExactTokens(uint256,uint256,address[],address,uint256)": at(3),
  "swapExactETHForTokens(uint256,address[],address,uint256)": at(2),
  "swapETHForExactTokens(uint256,address[],address,uint256)": at(2),
  "swapExactTokensForETH(uint256,uint256,address[],address,uint256)": at(3),
  "swapTokensForExactETH(uint256,uint256,address[],address,uint256)": at(3),
  "swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)": at(3),
  "swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)": at(2),
  "swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)": at(3),
  "addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)": at(6),
  "addLiquidityETH(address,uint256,uint256,uint256,address,uint256)": at(4),
  "removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)": at(5),
  "removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)": at(4),
  "removeLiquidityETHSupportingFeeOnTransferTokens(address,uint256,uint256,uint256,address,uint256)": at(4),
  "removeLiquidityWithPermit(address,address,uint256,uint256,uint256,address,uint256,bool,uint8,bytes32,bytes32)":
    at(5),
  "removeLiquidityETHWithPermit(address,uint256,uint256,uint256,address,uint256,bool,uint8,bytes32,bytes32)": at(4),
  "trxToTokenTransferInput(uint256,uint256,address)": at(2),
  "trxToTokenTransferOutput(uint256,uint256,address)": at(2),
  "tokenToTrxTransferInput(uint256,uint256,uint256,address)": at(3),
  "tokenToTrxTransferOutput(uint256,uint256,uint256,address)": at(3),
  "tokenToTokenTransferInput(uint256,uint256,uint256,uint256,address,address)": at(4),
  "tokenToTokenTransferOutput(uint256,uint256,uint256,uint256,address,address)": at(4),
  "swapExactInput(address[],string[],uint256[],uint24[],(uint256,uint256,address,uint256))": at(6),
  "exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))": ofV3(3),
  "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))": ofV3(3),
  "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))": ofV3(3),
  "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))": ofV3(3),
  "exactInput((bytes,address,uint256,uint256,uint256))": ofV3({ tuple: 0, word: 1 }),
  "exactInput((bytes,address,uint256,uint256))": ofV3({ tuple: 0, word: 1 }),
  "exactOutput((bytes,address,uint256,uint256,uint256))": ofV3({ tuple: 0, word: 1 }),
  "exactOutput((bytes,address,uint256,uint256))": ofV3({ tuple: 0, word: 1 }),
  "unwrapWETH9(uint256,address)": ofV3(1),
  "sweepToken(address,uint256,address)": ofV3(2),
  "collect((uint256,address,uint128,uint128))": ofV3(1),
  "mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))": ofV3(9),
  "deposit(uint256,address)": at(1),
  "mint(uint256,address)": at(1),
  "withdraw(uint256,address,address)": at(1),
  "redeem(uint256,address,address)": at(1),
  "deposit(address,uint256,address,uint16)": at(2),
  "supply(address,uint256,address,uint16)": at(2),
  "withdraw(address,uint256,address)": at(2),
};

const recipientBySelector: ReadonlyMap<string, Row> = new Map(
  Object.entries(recipients).map(([signature, row]) => [selectorOf(signature), row]),
);

/**
 * Whom calldata names as the one who gets what a trade, a withdrawal or a deposit yields, in the calls of a multicall too.
 * Of a dirty word the end, as old compilers have it. Nobody for functions that are not in the table.
 */
export function proceedsIn(data: string): readonly CanonicalAddress[] {
  return [...new Set(callsInside(data).calls.flatMap(recipientOf))];
}

function recipientOf(call: string): readonly CanonicalAddress[] {
  const row = recipientBySelector.get(call.slice(0, SELECTOR_DIGITS));
  if (row === undefined) return [];
  const { at: place, hasPlaceholders } = row;
  const body = call.slice(SELECTOR_DIGITS);
  const base = typeof place === "number" ? 0 : numberAt(body, place.tuple * WORD_DIGITS);
  const word = typeof place === "number" ? place : place.word;
  const digits = base === undefined ? "" : wordAt(body, 2 * base + word * WORD_DIGITS);
  if (digits === "" || (hasPlaceholders === true && /^0{39}[012]$/.test(digits.slice(24)))) return [];
  const address = parseAddress("tron", `41${digits.slice(24)}`);
  return address.ok ? [address.value] : [];
}
