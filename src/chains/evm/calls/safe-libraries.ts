import type { CanonicalAddress } from "../../address.ts";
import { addressOf } from "../abi/abi-reader.ts";

const setOf = (digits: readonly string[]): ReadonlySet<CanonicalAddress> => new Set(digits.map(addressOf));

/**
 * MultiSend and MultiSendCallOnly, versions 1.1.1 to 1.5.0, on every chain. Source: @safe-global/safe-deployments
 * 1.37.63.
 */
const multiSends = setOf([
  "8d29be29923b68abfdd21e541b9374737b49cdad",
  "0dfcccb95225ffb03c6fbb2559b530c2b7c8a912",
  "998739bfdaadde7c933b942a68053933098f9eda",
  "a238cbeb142c10ef7ad8442c6d1f9e89e07e7761",
  "309d0b190fecca8e1d5d8309a16f7e3cb133e885",
  "38869bf66a61cf6bdb996a6ae40d5853fd43b526",
  "218543288004cd07832472d464648173c77d7eb7",
  "40a2accbd92bca938b02010e17a5b8929b49130d",
  "a1dabef33b3b82c7814b6d82a79e50f4ac44102b",
  "f220d3b4dfb23c4ade8c88e526c1353abacbc38f",
  "0408ef011960d02349d50286d20531229bcef773",
  "9641d764fc13c8b624c04430c7356c1c7c8102e2",
  "a83c336b20401af773b6219ba5027174338d1836",
]);

/**
 * SafeMigration, SafeToL2Setup, CreateCall and SignMessageLib, versions 1.3.0 to 1.5.0, on every chain. A Safe runs them
 * as its own code, and they do only what their functions say. Source: @safe-global/safe-deployments 1.37.63.
 */
const libraries = setOf([
  "526643f69b81b008f46d95cd5ced5ec0edffdac6",
  "817756c6c555a94bcee39eb5a102abc1678b09a7",
  "6439e7abd8bb915a5263094784c5cf561c4172ac",
  "bd89a1ce4dde368ffab0ec35506eece0b1ffdc54",
  "199a9df0224031c20cc27083a4164c9c8f1bcb39",
  "900c7589200010d6c6ecaae5b06ebe653bc2d82a",
  "7cbb62eaa69f79e6873cd1ecb2392971036cfaa4",
  "b19d6ffc2182150f8eb585b79d4abcd7c5640a9d",
  "cb8e5e438c5c2b45fbe17b02ca9af91509a8ad56",
  "9b35af71d77eaf8d7e40252370304687390a1a52",
  "aaa566fe7978bb0fb0b5362b7ba23038f4428d8f",
  "2ef5ecfbea521449e4de05edb1ce63b75eda90b4",
  "a65387f16b013cf2af4605ad8aa5ec25a2cba3a2",
  "98ffbbf51bb33a056b08ddf711f289936aaff717",
  "357147caf9c0cca67dfa0cf5369318d8193c8407",
  "d53cd0ab83d845ac265be939c57f53ad838012c9",
  "aca1ec0a1a575cdccf1dc3d5d296202eb6061888",
  "4ffef8222648872b3de295ba1e49110e61f5b5aa",
]);

/** Whether the contract is a MultiSend contract, through which a Safe makes several calls. */
export function isMultiSend(contract: CanonicalAddress): boolean {
  return multiSends.has(contract);
}

/** Whether the contract is code that Safe publishes to be run as the Safe itself. */
export function isSafeLibrary(contract: CanonicalAddress): boolean {
  return multiSends.has(contract) || libraries.has(contract);
}

/**
 * Fallback handlers and singletons, versions 1.0.0 to 1.5.0, on every chain. An account of Safe runs them as its own
 * code. Source: @safe-global/safe-deployments 1.37.63.
 */
const accountCode = setOf([
  "f48f2b2d2a534e402487b3ee7c18c33aec0fe5e4",
  "017062a1de2fe6b99be3d9d37841fed19f573804",
  "2f870a80647bbc554f3a0ebd093f11b4d2a7492a",
  "fd0732dc9e303f09fcef3a7388ad10a83459ec99",
  "9301e98dd367135f21bdf66f342a249c9d5f9069",
  "3efcbb83a4a7afcb4f68d501e2c2203a38be77f4",
  "85a8ca358d388530ad0fb95d0cb89dd44fc242c3",
  "3e5c63644e683549055b9be8653de26e0b4cd36e",
  "fb1bffc9d739b8d520daf37df666da4c687191ea",
  "1727c2c531cf966f902e5927b98490fdfb3b2b70",
  "29fcb43b46531bca003ddc8fcb67ffe91900c762",
  "610fca2e0279fa1f8c00c8c2f71df522ad469380",
  "edd160febbd92e350d4d398fb636302fccd67c7e",
]);

/** Whether the contract is a fallback handler or a singleton that Safe publishes. */
export function isSafeCode(contract: CanonicalAddress): boolean {
  return accountCode.has(contract);
}
