/** Roles of arguments by the names that contracts give them. An empty role is an address that receives nothing. */

const words = (text: string) => text.trim().split(/\s+/);

const addressRoles = new Map([
  ...rows(
    "recipient",
    `receiver _receiver recipient _recipient to _to onBehalfOf onBehalf refundRecipient refundAddress refundTo
     fallbackEoA depositAndRefundAddress depositorAddress redeemer mintTo l2DepositOwner for_ depositAddress
     depositoryReceiver dstCallReceiver integratorFeeReceiver paymentReceiver refundReceiver hopBridge clipperExchange`,
  ),
  ...rows("recipientOrCaller", "dstReceiver beneficiary"),
  ...rows("owner", "owner owner_ user from _from sender _rewardOwner _rewardOwners"),
  ...rows("spender", "spender _spender delegate"),
  ...rows("operator", "_operator positionManager engine"),
  ...rows(
    "admin",
    `newOwner signer operator _executors _recipients withdrawAddr addr _address _addresses newAddr _owner _owners
     fallbackHandler`,
  ),
  ...rows(
    "tokenIn",
    `sendingAssetId srcToken fromToken tokenIn depositToken depositAssetId offerAsset paymentToken
     quoteToken`,
  ),
  ...rows(
    "tokenOut",
    `receivingAssetId toToken destToken dstToken tokenOut wantAsset receivingToken receiveToken expectedToken gmToken`,
  ),
  ...rows(
    "token",
    `token tokenA tokenB asset assets loanToken collateralToken _token middleToken denominationToken spendToken
     gasToken approvedTokens makerAsset takerAsset _tokenAddress`,
  ),
  ...rows(
    "executor",
    `executor caller srcReceiver callTarget approveTarget srcReceivers feeReceivers mixAdapters assetTo exchange callees
     adapter targetExchange factory poolAddress oracle`,
  ),
  ...rows("remoteToken", "assetIdOnL2"),
  ...rows("path", "path"),
  ...rows(
    "",
    `referrer relayer callTo approveTo 
     pool group lesser greater vault partner irm _agent validator payer 
     weth target _singleton account destinations delegatee candidate _referral prover inputOracle
     mayanProtocol swapProtocol firstDexRouter secondDexRouter dex dexgateway 
     prevOwner _assetInvolved _agentWallet _ownerWallet _crossChainToken lesserMember greaterMember sourceCandidate
     targetCandidate _validator lender _optOutAddresses _targets buyer targets callAddress oldAddr coveredAddresses
     _referenceFeeDistributor maker taker oldOwner callback l2Singleton referral _delegatee`,
  ),
]);

function rows(role: string, names: string): readonly (readonly [name: string, role: string])[] {
  return words(names).map((name) => [name, role]);
}

/** Names with another role in one function. */
export const byFunction: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  requestWithdrawals: { _owner: "recipientOrCaller" },
  requestWithdrawalsWstETH: { _owner: "recipientOrCaller" },
  requestWithdrawalsWithPermit: { _owner: "recipientOrCaller" },
  requestWithdrawalsWstETHWithPermit: { _owner: "recipientOrCaller" },
  removeFromWhitelist: { addr: "", _address: "" },
  batchRemoveFromWhitelist: { _addresses: "" },
  removeOwner: { owner: "" },
  borrow: { onBehalfOf: "owner", onBehalf: "owner" },
  withdrawCollateral: { onBehalf: "owner" },
  megaSwap: { to: "" },
  multiSwap: { to: "" },
  multicall: { to: "" },
  reenter: { to: "" },
  swap: { data: "route" },
  exactInput: { path: "packedPath" },
  uniswapV3SwapTo: { receiver: "recipientNumber" },
  exactOutput: { path: "packedPathBack" },
};

export function roleOfAddress(name: string, owner: string): string {
  const role = addressRoles.get(name);
  if (role === undefined) throw new Error(`${owner}: no role for the address "${name}"`);
  return role;
}

/** Bytes without a row here must be empty, since they may order any further effect. */
const byteRoles: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)withdrawal(Creds|_credentials)$/, "credentials"],
  [/receivingAssetId$/, "foreignWord"],
  [/^_deBridgeData\.(receiver|orderAuthorityDst)$/, "recipientWord"],
  [/permit\w*$|[sS]ignatures?$|^proof$|^encodedVm$|^encodedMessage$|^rawPayload$/, "signed"],
  [/[pP]ublicKeys?$|pubkeys?$|^url$|^fundingTx\.|oftCmd$|clientData$|^validators_$/, "note"],
  [/^_swapData\.callData$|^executorData$|^uniData\.pools$|exchangeData$|payload$|targetData$/, "route"],
  [/^(batches|paths)\.extraData$|^extraData\.extension$|^data\.path$/, "route"],
];

export function roleOfBytes(fullName: string): string {
  return byteRoles.find(([pattern]) => pattern.test(fullName))?.[1] ?? "";
}

const numberRoles = new Map([
  ...rows("recipientNumber", "to beneficiaryAndApproveFlag"),
  ...rows("foreignRecipient", "l2Recipient"),
  ...rows(
    "least",
    "minReturn minReturnAmount amountOutMin amountOutMinimum toAmount _minAmountOut minAmountOut amountOut",
  ),
  ...rows("most", "amountInMax amountInMaximum"),
  ...rows("amount", "amount _amount fromAmount amountIn inputAmount"),
  ...rows("mustBeZero", "relayerFee bonderFee"),
]);

const wordRoles = new Map([
  ...rows(
    "recipientWord",
    `recipient receiver receiverAddress mintRecipient refundAddress to dstCallReceiver depositor
     destinationChainDepositOwner`,
  ),
  ...rows(
    "foreignWord",
    "nonEVMReceiver nonEvmReceiver solanaATA solanaReceiverATA destinationCaller orderId receivingAssetId outputToken receiveToken",
  ),
  ...rows("credentials", "_eth2WithdrawalCredentials"),
]);

const textRoles = new Map(rows("foreignRecipient", "destinationAddress kasPayoutAddress memo"));

/** The role of a number, a word or a text. Most have none. */
export function roleOfValue(type: string, name: string): string {
  const roles = type.startsWith("uint") ? numberRoles : type.startsWith("string") ? textRoles : wordRoles;
  return roles.get(name) ?? "";
}
