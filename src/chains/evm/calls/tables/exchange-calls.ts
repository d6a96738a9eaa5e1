/**
 * Functions of exchanges and routers. Each argument is named by its role, see ../argument-roles.ts. Sources: the contracts
 * of Uniswap V2, V3 periphery and swap-router-contracts; Aerodrome Router; Curve pools and Router NG; Balancer V2 Vault;
 * 0x ZeroEx and Settler; CoW Protocol EthFlow; Seaport and
 * SeaDrop; KyberSwap, OpenOcean and Sushi route processors; Trader Joe LBRouter.
 */
export const exchangeCalls: readonly string[] = [
  // Uniswap V2 and its copies
  ...["swapExactTokensForTokens", "swapExactTokensForTokensSupportingFeeOnTransferTokens"].map(
    (name) => `${name}(uint256 amount,uint256 least,address[] path,address recipient,uint256)`,
  ),
  "swapTokensForExactTokens(uint256 least,uint256 most,address[] path,address recipient,uint256)",
  ...["ETH", "AVAX"].flatMap((coin) => [
    `swapExact${coin}ForTokens(uint256 least,address[] path,address recipient,uint256)`,
    `swapExact${coin}ForTokensSupportingFeeOnTransferTokens(uint256 least,address[] path,address recipient,uint256)`,
    `swap${coin}ForExactTokens(uint256 least,address[] path,address recipient,uint256)`,
    `swapExactTokensFor${coin}(uint256 amount,uint256 least,address[] path,address recipient,uint256)`,
    `swapExactTokensFor${coin}SupportingFeeOnTransferTokens(uint256 amount,uint256 least,address[] path,address recipient,uint256)`,
    `swapTokensForExact${coin}(uint256 least,uint256 most,address[] path,address recipient,uint256)`,
    `addLiquidity${coin}(address received,uint256,uint256,uint256,address recipient,uint256)`,
    `removeLiquidity${coin}(address token,uint256,uint256,uint256,address recipient,uint256)`,
    `removeLiquidity${coin}SupportingFeeOnTransferTokens(address token,uint256,uint256,uint256,address recipient,uint256)`,
    `removeLiquidity${coin}WithPermit(address token,uint256,uint256,uint256,address recipient,uint256,bool,uint8,bytes32,bytes32)`,
  ]),
  "addLiquidity(address received,address received,uint256,uint256,uint256,uint256,address recipient,uint256)",
  "removeLiquidity(address token,address token,uint256,uint256,uint256,address recipient,uint256)",
  "removeLiquidityWithPermit(address token,address token,uint256,uint256,uint256,address recipient,uint256,bool,uint8,bytes32,bytes32)",
  // Uniswap V3, SwapRouter
  "exactInputSingle((address tokenIn,address tokenOut,uint24,address recipientOrSelf,uint256,uint256 amount,uint256 least,uint160))",
  "exactOutputSingle((address tokenIn,address tokenOut,uint24,address recipientOrSelf,uint256,uint256 least,uint256 most,uint160))",
  "exactInput((bytes packedPath,address recipientOrSelf,uint256,uint256 amount,uint256 least))",
  "exactOutput((bytes packedPathBack,address recipientOrSelf,uint256,uint256 least,uint256 most))",
  // Uniswap V3, SwapRouter02
  "exactInputSingle((address tokenIn,address tokenOut,uint24,address recipientOrMarker,uint256 amountOrBalance,uint256 least,uint160))",
  "exactOutputSingle((address tokenIn,address tokenOut,uint24,address recipientOrMarker,uint256 least,uint256 most,uint160))",
  "exactInput((bytes packedPath,address recipientOrMarker,uint256 amountOrBalance,uint256 least))",
  "exactOutput((bytes packedPathBack,address recipientOrMarker,uint256 least,uint256 most))",
  "swapExactTokensForTokens(uint256 amountOrBalance,uint256 least,address[] path,address recipientOrMarker)",
  "swapTokensForExactTokens(uint256 least,uint256 most,address[] path,address recipientOrMarker)",
  // Uniswap V3, payments beside a trade
  "unwrapWETH9(uint256 leastLeft,address recipient)",
  "unwrapWETH9(uint256 leastLeft)",
  "unwrapWETH9WithFee(uint256 leastLeft,address recipient,uint256 bips,address feeRecipient)",
  "unwrapWETH9WithFee(uint256 leastLeft,uint256 bips,address feeRecipient)",
  "sweepToken(address token,uint256 leastLeft,address recipient)",
  "sweepToken(address token,uint256 leastLeft)",
  "sweepTokenWithFee(address token,uint256 leastLeft,address recipient,uint256 bips,address feeRecipient)",
  "sweepTokenWithFee(address token,uint256 leastLeft,uint256 bips,address feeRecipient)",
  "refundETH()",
  "selfPermit(address token,uint256,uint256,uint8,bytes32,bytes32)",
  "selfPermitIfNecessary(address token,uint256,uint256,uint8,bytes32,bytes32)",
  "selfPermitAllowed(address token,uint256,uint256,uint8,bytes32,bytes32)",
  "selfPermitAllowedIfNecessary(address token,uint256,uint256,uint8,bytes32,bytes32)",
  // Uniswap V3, positions
  "mint((address received,address received,uint24,int24,int24,uint256,uint256,uint256,uint256,address recipient,uint256))",
  "decreaseLiquidity((uint256,uint128,uint256,uint256,uint256))",
  "collect((uint256,address recipientOrSelf,uint128,uint128))",
  // Aerodrome and Velodrome
  "swapExactTokensForTokens(uint256 amount,uint256 least,(address tokenIn,address tokenOut,bool,address)[],address recipient,uint256)",
  "swapExactETHForTokens(uint256 least,(address tokenIn,address tokenOut,bool,address)[],address recipient,uint256)",
  "swapExactTokensForETH(uint256 amount,uint256 least,(address tokenIn,address tokenOut,bool,address)[],address recipient,uint256)",
  // Curve
  "exchange(int128,int128,uint256 amount,uint256 least)",
  "exchange(int128,int128,uint256 amount,uint256 least,address recipient)",
  "exchange(uint256,uint256,uint256 amount,uint256 least)",
  "exchange(uint256,uint256,uint256 amount,uint256 least,bool)",
  "exchange(uint256,uint256,uint256 amount,uint256 least,bool,address recipient)",
  "exchange_underlying(int128,int128,uint256 amount,uint256 least)",
  "exchange(address[11],uint256[5][5],uint256 amount,uint256 least)",
  "exchange(address[11],uint256[5][5],uint256 amount,uint256 least,address[5])",
  "exchange(address[11],uint256[5][5],uint256 amount,uint256 least,address[5],address recipient)",
  ...[2, 3, 4].flatMap((coins) => [
    `add_liquidity(uint256[${coins}],uint256)`,
    `remove_liquidity(uint256,uint256[${coins}])`,
    `remove_liquidity_imbalance(uint256[${coins}],uint256)`,
  ]),
  "add_liquidity(uint256[],uint256)",
  "remove_liquidity(uint256,uint256[])",
  "remove_liquidity_one_coin(uint256,int128,uint256)",
  "remove_liquidity_one_coin(uint256,uint256,uint256)",
  // Balancer V2
  "swap((bytes32,uint8 givenOut,address tokenIn,address tokenOut,uint256,bytes note),(address owner,bool,address recipient,bool),uint256 least,uint256)",
  "exitPool(bytes32,address owner,address recipient,(address[],uint256[],bytes note,bool))",
  // 0x
  "transformERC20(address tokenIn,address tokenOut,uint256 amount,uint256 least,(uint32,bytes route)[])",
  "sellToUniswap(address[] path,uint256 amount,uint256 least,bool)",
  "sellEthForTokenToUniswapV3(bytes packedPath,uint256 least,address recipientOrCaller)",
  "sellTokenForEthToUniswapV3(bytes packedPath,uint256 amount,uint256 least,address recipientOrCaller)",
  "sellTokenForTokenToUniswapV3(bytes packedPath,uint256 amount,uint256 least,address recipientOrCaller)",
  "execute((address recipient,address tokenOut,uint256 least),bytes[] route,bytes32)",
  // CoW Protocol
  "createOrder((address tokenOut,address recipientOrCaller,uint256 amount,uint256 least,bytes32,uint256,uint32,bool,int64))",
  "invalidateOrder((address tokenOut,address,uint256,uint256,bytes32,uint256,uint32,bool,int64))",
  // Seaport: orders that are bought with coins, and cancelled orders
  ...["fulfillBasicOrder", "fulfillBasicOrder_efficient_6GL6yc"].map(
    (name) =>
      `${name}((address token,uint256,uint256,address,address,address received,uint256,uint256,uint8 basicOrderType,uint256,uint256,bytes32,uint256,bytes32,bytes32,uint256,(uint256,address)[],bytes signed))`,
  ),
  "incrementCounter()",
  // SeaDrop
  "mintPublic(address received,address,address recipientOrCaller,uint256)",
  // Aggregators with a route of the caller
  "processRoute(address tokenIn,uint256 amount,address tokenOut,uint256 least,address recipient,bytes route)",
  "swap(address executor,(address tokenIn,address tokenOut,address executor,address recipient,uint256 amount,uint256 least,uint256,uint256,address,bytes signed),(uint256,uint256,uint256,bytes route)[])",
  "swapSimpleMode(address executor,(address tokenIn,address tokenOut,address[] executor,uint256[],address[] executor,uint256[],address recipientOrCaller,uint256 amount,uint256 least,uint256,bytes signed),bytes route,bytes note)",
  // Trader Joe, Liquidity Book
  "swapExactNATIVEForTokens(uint256 least,(uint256[],uint8[],address[] path),address recipient,uint256)",
  "swapExactTokensForTokens(uint256 amount,uint256 least,(uint256[],uint8[],address[] path),address recipient,uint256)",
  "swapExactTokensForNATIVE(uint256 amount,uint256 least,(uint256[],uint8[],address[] path),address recipient,uint256)",
];
