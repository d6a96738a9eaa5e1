/**
 * Functions of bridges. Each argument is named by its role, see ../argument-roles.ts. Sources: OP Stack standard bridges;
 * Arbitrum Inbox and gateways; Polygon PoS RootChainManager; Across SpokePool; Circle CCTP V1 and V2; Stargate V2 and
 * LayerZero OFT; Hop; Wormhole TokenBridge; Hyperlane warp routes; Axelar Interchain Token Service; Celer
 * cBridge; Scroll gateways; zkSync Bridgehub.
 */
export const bridgeCalls: readonly string[] = [
  // OP Stack
  "depositETH(uint32,bytes note)",
  "depositETHTo(address recipient,uint32,bytes note)",
  "depositERC20(address token,address remoteToken,uint256,uint32,bytes note)",
  "depositERC20To(address token,address remoteToken,address recipient,uint256,uint32,bytes note)",
  "bridgeETH(uint32,bytes note)",
  "bridgeETHTo(address recipient,uint32,bytes note)",
  "bridgeERC20(address token,address remoteToken,uint256,uint32,bytes note)",
  "bridgeERC20To(address token,address remoteToken,address recipient,uint256,uint32,bytes note)",
  "withdraw(address token,uint256,uint32,bytes note)",
  "withdrawTo(address token,address recipient,uint256,uint32,bytes note)",
  "depositTransaction(address recipient,uint256,uint64,bool,bytes)",
  // Arbitrum
  "depositEth()",
  "outboundTransfer(address token,address recipient,uint256,uint256,uint256,bytes note)",
  "outboundTransfer(address token,address recipient,uint256,bytes note)",
  "outboundTransferCustomRefund(address token,address recipient,address recipient,uint256,uint256,uint256,bytes note)",
  "withdrawEth(address recipient)",
  // Polygon PoS
  "depositEtherFor(address recipient)",
  "depositFor(address recipient,address token,bytes note)",
  // Across
  "depositV3(address recipient,address recipient,address tokenIn,address remoteToken,uint256,uint256 least,uint256,address,uint32,uint32,uint32,bytes)",
  "depositV3Now(address recipient,address recipient,address tokenIn,address remoteToken,uint256,uint256 least,uint256,address,uint32,uint32,bytes)",
  "deposit(bytes32 recipientWord,bytes32 recipientWord,bytes32,bytes32 foreignWord,uint256,uint256 least,uint256,bytes32,uint32,uint32,uint32,bytes)",
  // Circle CCTP
  "depositForBurn(uint256,uint32,bytes32 recipientWord,address token)",
  "depositForBurnWithCaller(uint256,uint32,bytes32 recipientWord,address token,bytes32 foreignWord)",
  "depositForBurn(uint256,uint32,bytes32 recipientWord,address token,bytes32 foreignWord,uint256,uint32)",
  "receiveMessage(bytes note,bytes signed)",
  // Stargate V2 and LayerZero OFT
  "send((uint32,bytes32 recipientWord,uint256,uint256 least,bytes,bytes,bytes note),(uint256,uint256),address recipient)",
  "sendToken((uint32,bytes32 recipientWord,uint256,uint256 least,bytes,bytes,bytes note),(uint256,uint256),address recipient)",
  // Hop
  "sendToL2(uint256,address recipient,uint256,uint256 least,uint256,address executor,uint256)",
  "swapAndSend(uint256,address recipient,uint256,uint256,uint256 least,uint256,uint256,uint256)",
  // Wormhole
  "transferTokens(address token,uint256,uint16,bytes32 recipientWord,uint256 mustBeZero,uint32)",
  // Hyperlane, Axelar, Celer, Scroll, zkSync
  "transferRemote(uint32,bytes32 recipientWord,uint256)",
  "interchainTransfer(bytes32,string,bytes recipientWord,uint256,bytes,uint256)",
  "send(address recipient,address token,uint256,uint64,uint64,uint32)",
  "sendNative(address recipient,uint256,uint64,uint64,uint32)",
  "depositETH(uint256,uint256)",
  "depositETH(address recipient,uint256,uint256)",
  "requestL2TransactionDirect((uint256,uint256,address recipient,uint256,bytes,uint256,uint256,bytes[],address recipient))",
  // Wormhole, coins
  "wrapAndTransferETH(uint16,bytes32 recipientWord,uint256 mustBeZero,uint32)",
];
