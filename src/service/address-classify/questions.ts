/** Selectors of the functions that identify the forms. */
export const functions = {
  transfer: "a9059cbb",
  transferFrom: "23b872dd",
  approve: "095ea7b3",
  deposit: "6e553f65",
  redeem: "ba087652",
  validateUserOpV6: "3a871cdd",
  validateUserOpV7: "19822f7c",
  handleOpsV6: "1fad948c",
  handleOpsV7: "765e827f",
  swapExactTokensForTokens: "38ed1739",
  exactInputSingle: "414bf389",
  exactInputSingle2: "04e45aaf",
  execute: "24856bc3",
  executeUntil: "3593564c",
  aggregate: "252dba42",
  tryAggregate: "bce38bd7",
  aggregate3: "82ad56cb",
  getEthBalance: "4d2301cc",
} as const;
export type FunctionName = keyof typeof functions;

const word = (text: string) => text.padStart(64, "0");
const interfaceId = (id: string) => `01ffc9a7${id.padEnd(64, "0")}`;

/** Calls that a contract gets about itself: their calldata, with the contract's address for `self`. */
const calls = {
  /**
   * A selector outside all standards. A contract that answers it answers anything, so its other answers mean nothing.
   */
  anything: () => "77656972",
  interfaces: () => interfaceId("01ffc9a7"),
  noInterface: () => interfaceId("ffffffff"),
  erc721: () => interfaceId("80ac58cd"),
  erc1155: () => interfaceId("d9b67a26"),
  totalSupply: () => "18160ddd",
  balanceOf: (self: string) => `70a08231${word(self)}`,
  allowance: (self: string) => `dd62ed3e${word(self)}${word(self)}`,
  asset: () => "38d52e0f",
  totalAssets: () => "01e1d114",
  convertToAssets: () => `07a2d13a${word("1")}`,
  getThreshold: () => "e75235b8",
  getOwners: () => "a0e67e2b",
  version: () => "ffa1ad74",
  token0: () => "0dfe1681",
  token1: () => "d21220a7",
  getReserves: () => "0902f1ac",
  fee: () => "ddca3f43",
  slot0: () => "3850c7bd",
  factory: () => "c45a0155",
  weth: () => "ad5c4648",
  weth9: () => "4aa4a4fc",
  implementation: () => "5c60da1b",
  facetAddresses: () => "52ef6b2c",
  masterCopy: () => "a619486e",
} as const satisfies Record<string, (self: string) => string>;
export type CallName = keyof typeof calls;

/**
 * Every call except those that identify proxies. The call that should fail comes first, because a failed first call is
 * not repeated alone.
 */
export const formCalls: readonly CallName[] = [
  "anything",
  "interfaces",
  "noInterface",
  "erc721",
  "erc1155",
  "totalSupply",
  "balanceOf",
  "allowance",
  "asset",
  "totalAssets",
  "convertToAssets",
  "getThreshold",
  "getOwners",
  "version",
  "token0",
  "token1",
  "getReserves",
  "fee",
  "slot0",
  "factory",
  "weth",
  "weth9",
];
export const proxyCalls: readonly CallName[] = ["anything", "implementation", "facetAddresses", "masterCopy"];

const SELECTOR_DIGITS = 8;

/** Calldata of a call, 0x and hex. `address` is the called contract. */
export function calldataOf(name: CallName, address: string): string {
  return `0x${calls[name](address.slice(2))}`;
}

/** The selector of a call, hex digits. */
export function selectorOf(name: CallName): string {
  return calls[name]("").slice(0, SELECTOR_DIGITS);
}
