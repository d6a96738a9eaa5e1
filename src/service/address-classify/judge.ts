import { numberAt, toHex } from "../../evm-analysis/machine/code.ts";
import type { Verification } from "../evm/verifier.ts";
import { addressOf, isTrue, WORD_BYTES } from "../evm/word.ts";
import type { Classification } from "./classification.ts";
import type { AccountFacts } from "./gather.ts";
import { type CallName, type FunctionName, functions } from "./questions.ts";

/** The classification of an address. */
export interface Judgement {
  readonly classification: Classification;
  readonly isErc20: boolean;
}

/**
 * Precompiled contracts have no code. 1 to 0x0a exist since Cancun, and 0x0b to 0x11 since Prague (EIP-2537). 0x100
 * exists since Osaka, and earlier on many other chains (RIP-7212). Chains without the newer precompiles get the same
 * classification, because no key exists for these addresses.
 */
const LAST_PRECOMPILE = 0x11n;
const P256_VERIFY = 0x100n;
/** Precompiles of Arbitrum and other chains have small addresses, and the invalid instruction as code. */
const SMALL = 0x1_0000n;
const INVALID_CODE = "fe";
const SLOT0_BYTES = 6 * WORD_BYTES;

/** Classifies the facts. Forms that include others come first: a vault is a token, and so is a pair. */
export function judge(facts: AccountFacts, verification: Verification): Judgement {
  const { code, nonce, balance } = facts;
  const plain = (classification: Classification): Judgement => ({ classification, isErc20: false });
  const number = BigInt(facts.address);
  if (code.length === 0) {
    if ((number > 0n && number <= LAST_PRECOMPILE) || number === P256_VERIFY) return plain("Precompile");
    return plain(nonce > 0n || balance > 0n ? "EOA" : "Empty");
  }
  if (facts.proxy?.type === "EIP-7702") return plain("DelegatedEOA");
  if (number < SMALL && toHex(code) === INVALID_CODE) return plain("Precompile");
  const seen = seenIn(facts);
  const form = forms.find(([, isForm]) => isForm(seen))?.[0];
  if (form !== undefined) return { classification: form, isErc20: isErc20(seen) };
  if (verification !== "verified") return plain("Unverified");
  return plain(facts.proxy === undefined ? "Contract" : "Proxy");
}

interface Seen {
  readonly has: (...names: readonly FunctionName[]) => boolean;
  readonly answered: (...names: readonly CallName[]) => boolean;
  readonly answer: (name: CallName) => Uint8Array | undefined;
  readonly facts: AccountFacts;
}

function seenIn(facts: AccountFacts): Seen {
  const { code, implementationCode, proxy } = facts;
  const digits = toHex(code) + toHex(implementationCode);
  // The answers of a contract that answers any call mean nothing. The functions of a diamond are in facets that were
  // not read.
  const answers: AccountFacts["answers"] = facts.answers.has("anything") ? new Map() : facts.answers;
  return {
    has: (...names) => proxy?.type === "EIP-2535" || names.every((name) => digits.includes(functions[name])),
    answered: (...names) => names.every((name) => answers.has(name)),
    answer: (name) => answers.get(name),
    facts,
  };
}

const forms: readonly (readonly [Classification, (seen: Seen) => boolean])[] = [
  ["Safe", ({ answered, answer }) => answered("getOwners", "version") && isPositive(answer("getThreshold"))],
  ["SmartAccount", isSmartAccount],
  ["Multicall", isMulticall],
  ["Router", isRouter],
  ["V3Pool", (seen) => isOfTwoTokens(seen) && seen.answered("fee") && sizeOf(seen, "slot0") >= SLOT0_BYTES],
  ["V2Pair", (seen) => isOfTwoTokens(seen) && sizeOf(seen, "getReserves") >= 3 * WORD_BYTES],
  ["ERC4626", isVault],
  ["ERC1155", (seen) => hasInterface(seen, "erc1155")],
  ["ERC721", (seen) => hasInterface(seen, "erc721")],
  ["ERC20", isErc20],
];

/** The entry point calls the function of accounts, so its code also holds the selector. */
function isSmartAccount({ has, facts }: Seen): boolean {
  if (facts.proxy?.type === "EIP-2535") return false;
  return (has("validateUserOpV6") || has("validateUserOpV7")) && !has("handleOpsV6") && !has("handleOpsV7");
}

function isMulticall({ has, facts }: Seen): boolean {
  if (facts.proxy?.type === "EIP-2535") return false;
  return has("getEthBalance", "aggregate") && (has("tryAggregate") || has("aggregate3"));
}

function isRouter({ has, answer, facts }: Seen): boolean {
  if (facts.proxy?.type === "EIP-2535") return false;
  const isOf = (weth: CallName) => addressOf(answer("factory")) !== undefined && addressOf(answer(weth)) !== undefined;
  const isV2 = has("swapExactTokensForTokens") && isOf("weth");
  const isV3 = (has("exactInputSingle") || has("exactInputSingle2")) && isOf("weth9");
  return isV2 || isV3 || has("execute", "executeUntil");
}

function isOfTwoTokens({ answer }: Seen): boolean {
  return addressOf(answer("token0")) !== undefined && addressOf(answer("token1")) !== undefined;
}

function isVault(seen: Seen): boolean {
  const { has, answered, answer } = seen;
  const isOfAsset = addressOf(answer("asset")) !== undefined && answered("totalAssets", "convertToAssets");
  return isErc20(seen) && isOfAsset && has("deposit", "redeem");
}

/** ERC-165: true for ERC-165 itself and for the interface, and false for the invalid interface id. */
function hasInterface({ answer }: Seen, name: "erc721" | "erc1155"): boolean {
  return isTrue(answer("interfaces")) && !isTrue(answer("noInterface")) && isTrue(answer(name));
}

function isErc20({ has, answered }: Seen): boolean {
  return has("transfer", "transferFrom", "approve") && answered("totalSupply", "balanceOf", "allowance");
}

function isPositive(word: Uint8Array | undefined): boolean {
  return word !== undefined && numberAt(word, 0, WORD_BYTES) > 0n;
}

function sizeOf({ answer }: Seen, name: CallName): number {
  return answer(name)?.length ?? 0;
}
