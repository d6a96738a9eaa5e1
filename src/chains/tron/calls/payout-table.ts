import { lazy } from "../../../kernel/collections.ts";
import { selectorOf } from "../../evm/read-transaction.ts";
import type { PathEnd, Placeholders } from "./payout.ts";

/** Where an argument stands: a word of the head, or a word of a tuple that a word of the head points at. */
export type ArgumentPosition = number | { readonly tuple: number; readonly word: number };

/** A function that pays out: the recipient, and the bounds of the payment. */
export interface PayoutRow {
  /** `caller` for functions without a recipient argument, which pay their caller. */
  readonly to: ArgumentPosition | "caller";
  readonly placeholders: Placeholders;
  /**
   * The token that is paid: a word, the last entry of the list at a word, or an end of a packed path. The packed path
   * is the first word of a tuple.
   */
  readonly token?: number | PathEnd | { readonly list: number };
  /** The least amount of the payment, as a trade or a forwarding call states it. */
  readonly least?: ArgumentPosition;
  /** The most that the user pays in a trade. */
  readonly most?: ArgumentPosition;
  /**
   * The function forwards an amount that an earlier call left with the router. It forwards the named token, or the
   * wrapped coin when no token is named.
   */
  readonly passesOn?: true;
  /** The amount that the user pays. When it is 0, the router pays with the amount that an earlier call left with it. */
  readonly amountIn?: ArgumentPosition;
  /** A share of the payment for another recipient, in 1 of 10,000 (basis points). */
  readonly fee?: { readonly to: number; readonly bips: number };
}

const at = (to: ArgumentPosition): PayoutRow => ({ to, placeholders: "none" });
/** A trade along a list of tokens, with a least amount. */
const along = (list: number, to: number, least?: number): PayoutRow => ({
  ...at(to),
  token: { list },
  ...(least === undefined ? {} : { least }),
});
const forAtMost = (most: ArgumentPosition, row: PayoutRow): PayoutRow => ({ ...row, most });
const forAtLeast = (least: ArgumentPosition, row: PayoutRow): PayoutRow => ({ ...row, least });
const caller: PayoutRow = { to: "caller", placeholders: "none" };
const ofV3 = (to: ArgumentPosition, token?: PayoutRow["token"]): PayoutRow => ({
  to,
  placeholders: "self_is_0",
  ...(token === undefined ? {} : { token }),
});
const ofV3Later = (to: ArgumentPosition, more: Pick<PayoutRow, "token" | "amountIn" | "least"> = {}): PayoutRow => ({
  to,
  placeholders: "caller_1_self_2",
  ...more,
});
const passesOn = (row: PayoutRow, more: Pick<PayoutRow, "token" | "fee" | "least"> = {}): PayoutRow => ({
  ...row,
  ...more,
  passesOn: true,
});
const struct = { tuple: 0, word: 1 };

/**
 * Routers: Uniswap V2 and V3 periphery, which SunSwap copies; SwapRouter02; SunSwap V1 (JustSwap) and its smart router.
 * Functions with ETH in their name also exist with TRX.
 */
const routers: Readonly<Record<string, PayoutRow>> = {
  "swapExactTokensForTokens(uint256,uint256,address[],address,uint256)": along(2, 3, 1),
  "swapTokensForExactTokens(uint256,uint256,address[],address,uint256)": forAtMost(1, along(2, 3)),
  "swapExactETHForTokens(uint256,address[],address,uint256)": along(1, 2, 0),
  "swapETHForExactTokens(uint256,address[],address,uint256)": along(1, 2),
  "swapExactTokensForETH(uint256,uint256,address[],address,uint256)": forAtLeast(1, at(3)),
  "swapTokensForExactETH(uint256,uint256,address[],address,uint256)": forAtMost(1, at(3)),
  "swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)": along(2, 3, 1),
  "swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)": along(1, 2, 0),
  "swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)": forAtLeast(1, at(3)),
  "swapExactTokensForTokens(uint256,uint256,address[],address)": ofV3Later(3, {
    token: { list: 2 },
    amountIn: 0,
    least: 1,
  }),
  "swapTokensForExactTokens(uint256,uint256,address[],address)": forAtMost(1, ofV3Later(3, { token: { list: 2 } })),
  "addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)": at(6),
  "addLiquidityETH(address,uint256,uint256,uint256,address,uint256)": at(4),
  "removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)": at(5),
  "removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)": at(4),
  "removeLiquidityETHSupportingFeeOnTransferTokens(address,uint256,uint256,uint256,address,uint256)": at(4),
  "removeLiquidityWithPermit(address,address,uint256,uint256,uint256,address,uint256,bool,uint8,bytes32,bytes32)":
    at(5),
  "removeLiquidityETHWithPermit(address,uint256,uint256,uint256,address,uint256,bool,uint8,bytes32,bytes32)": at(4),
  "removeLiquidityETHWithPermitSupportingFeeOnTransferTokens(address,uint256,uint256,uint256,address,uint256,bool,uint8,bytes32,bytes32)":
    at(4),
  "swap(uint256,uint256,address,bytes)": at(2),
  "swap(address,bool,int256,uint160,bytes)": at(0),
  "skim(address)": at(0),
  "burn(address)": at(0),
  "mint(address)": at(0),
  "trxToTokenSwapInput(uint256,uint256)": forAtLeast(0, caller),
  "trxToTokenSwapOutput(uint256,uint256)": caller,
  "tokenToTrxSwapInput(uint256,uint256,uint256)": forAtLeast(1, caller),
  "tokenToTrxSwapOutput(uint256,uint256,uint256)": forAtMost(1, caller),
  "tokenToTokenSwapInput(uint256,uint256,uint256,uint256,address)": forAtLeast(1, caller),
  "tokenToTokenSwapOutput(uint256,uint256,uint256,uint256,address)": forAtMost(1, caller),
  "addLiquidity(uint256,uint256,uint256)": caller,
  "removeLiquidity(uint256,uint256,uint256,uint256)": caller,
  "trxToTokenTransferInput(uint256,uint256,address)": forAtLeast(0, at(2)),
  "trxToTokenTransferOutput(uint256,uint256,address)": at(2),
  "tokenToTrxTransferInput(uint256,uint256,uint256,address)": forAtLeast(1, at(3)),
  "tokenToTrxTransferOutput(uint256,uint256,uint256,address)": forAtMost(1, at(3)),
  "tokenToTokenTransferInput(uint256,uint256,uint256,uint256,address,address)": forAtLeast(1, at(4)),
  "tokenToTokenTransferOutput(uint256,uint256,uint256,uint256,address,address)": forAtMost(1, at(4)),
  "tokenToExchangeTransferInput(uint256,uint256,uint256,uint256,address,address)": forAtLeast(1, at(4)),
  "tokenToExchangeTransferOutput(uint256,uint256,uint256,uint256,address,address)": forAtMost(1, at(4)),
  "swapExactInput(address[],string[],uint256[],uint24[],(uint256,uint256,address,uint256))": along(0, 6, 5),
  "exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))": forAtLeast(6, ofV3(3, 1)),
  "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))": ofV3Later(3, {
    token: 1,
    amountIn: 4,
    least: 5,
  }),
  "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))": forAtMost(6, ofV3(3, 1)),
  "exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))": forAtMost(
    5,
    ofV3Later(3, { token: 1 }),
  ),
  "exactInput((bytes,address,uint256,uint256,uint256))": forAtLeast({ tuple: 0, word: 4 }, ofV3(struct, "path_last")),
  "exactInput((bytes,address,uint256,uint256))": ofV3Later(struct, {
    token: "path_last",
    amountIn: { tuple: 0, word: 2 },
    least: { tuple: 0, word: 3 },
  }),
  "exactOutput((bytes,address,uint256,uint256,uint256))": forAtMost({ tuple: 0, word: 4 }, ofV3(struct, "path_first")),
  "exactOutput((bytes,address,uint256,uint256))": forAtMost(
    { tuple: 0, word: 3 },
    ofV3Later(struct, { token: "path_first" }),
  ),
  "unwrapWETH9(uint256,address)": passesOn(at(1), { least: 0 }),
  "unwrapWETH9(uint256)": passesOn(caller, { least: 0 }),
  "unwrapWETH9WithFee(uint256,address,uint256,address)": passesOn(at(1), { least: 0, fee: { bips: 2, to: 3 } }),
  "unwrapWETH9WithFee(uint256,uint256,address)": passesOn(caller, { least: 0, fee: { bips: 1, to: 2 } }),
  "sweepToken(address,uint256,address)": passesOn(at(2), { token: 0, least: 1 }),
  "sweepToken(address,uint256)": passesOn(caller, { token: 0, least: 1 }),
  "sweepTokenWithFee(address,uint256,address,uint256,address)": passesOn(at(2), {
    token: 0,
    least: 1,
    fee: { bips: 3, to: 4 },
  }),
  "sweepTokenWithFee(address,uint256,uint256,address)": passesOn(caller, {
    token: 0,
    least: 1,
    fee: { bips: 2, to: 3 },
  }),
  "refundETH()": caller,
  "selfPermit(address,uint256,uint256,uint8,bytes32,bytes32)": caller,
  "selfPermitIfNecessary(address,uint256,uint256,uint8,bytes32,bytes32)": caller,
  "selfPermitAllowed(address,uint256,uint256,uint8,bytes32,bytes32)": caller,
  "selfPermitAllowedIfNecessary(address,uint256,uint256,uint8,bytes32,bytes32)": caller,
  "collect((uint256,address,uint128,uint128))": ofV3(1),
  "collect(address,int24,int24,uint128,uint128)": at(0),
  "decreaseLiquidity((uint256,uint128,uint256,uint256,uint256))": caller,
  "mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))": at(9),
};

/**
 * Vaults and lending pools: ERC-4626, wrapped coins, farms, Aave and its gateway, and Compound, which JustLend copies.
 */
const vaults: Readonly<Record<string, PayoutRow>> = {
  "deposit()": caller,
  "deposit(uint256)": caller,
  "deposit(uint256,uint256)": caller,
  "deposit(uint256,address)": at(1),
  "deposit(uint256,uint256,address)": at(2),
  "deposit(address,uint256,address,uint16)": at(2),
  "depositTo(address)": at(0),
  "depositFor(address,uint256)": at(0),
  "depositETH(address,address,uint16)": at(1),
  "stake(uint256)": caller,
  "stakeFor(address,uint256)": at(0),
  "mint()": caller,
  "mint(uint256)": caller,
  "mint(uint256,address)": at(1),
  "supply(address,uint256,address,uint16)": at(2),
  "supplyWithPermit(address,uint256,address,uint16,uint256,uint8,bytes32,bytes32)": at(2),
  "withdraw()": caller,
  "withdraw(uint256)": caller,
  "withdraw(uint256,uint256)": caller,
  "withdraw(uint256,address,address)": at(1),
  "withdraw(uint256,uint256,address)": at(2),
  "withdraw(address,uint256,address)": at(2),
  "withdrawTo(address,uint256)": at(0),
  "withdrawETH(address,uint256,address)": at(2),
  "withdrawAndHarvest(uint256,uint256,address)": at(2),
  "harvest(uint256,address)": at(1),
  "emergencyWithdraw(uint256)": caller,
  "emergencyWithdraw(uint256,address)": at(1),
  "unstake(uint256)": caller,
  "exit()": caller,
  "getReward()": caller,
  "redeem(uint256)": caller,
  "redeem(uint256,address,address)": at(1),
  "redeemUnderlying(uint256)": caller,
  "borrow(uint256)": caller,
  "repayBorrow()": caller,
  "repayBorrow(uint256)": caller,
  "repayBorrowBehalf(address)": at(0),
  "repayBorrowBehalf(address,uint256)": at(0),
  "repay(address,uint256,uint256,address)": at(3),
  "claimComp(address)": caller,
  "enterMarkets(address[])": caller,
  "exitMarket(address)": caller,
};

/**
 * Services of TRON: JustLend's staked TRX and its energy rental, USDD's peg module, and the deposits of the BTTC
 * bridge. A deposit reaches the same 20 bytes on the other chain.
 */
const services: Readonly<Record<string, PayoutRow>> = {
  "claim()": caller,
  "claimAll()": caller,
  "withdrawExact(uint256)": caller,
  "rentResource(address,uint256,uint256)": at(0),
  "returnResource(address,uint256,uint256)": caller,
  "sellGem(address,uint256)": at(0),
  "buyGem(address,uint256)": at(0),
  "depositFor(address,address,bytes)": at(0),
  "depositEtherFor(address)": at(0),
};

/** Functions of TRON routers are named as on Ethereum, or after TRON's own coin. */
const named = (signature: string) => [signature, signature.replace("WETH9", "WTRX").replace("ETH", "TRX")];

/** The rows by the selector of each signature. */
export const payoutRows = lazy(
  (): ReadonlyMap<string, PayoutRow> =>
    new Map(
      Object.entries({ ...routers, ...vaults, ...services }).flatMap(([signature, row]) =>
        named(signature).map((each): [string, PayoutRow] => [selectorOf(each), row]),
      ),
    ),
);
