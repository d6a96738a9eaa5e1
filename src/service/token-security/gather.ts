import type { CodeAnalysis } from "../../evm-analysis/analyse-code.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Random } from "../../kernel/retry.ts";
import { verificationOf } from "../address-classify/classify.ts";
import { type AccountFacts, gather } from "../address-classify/gather.ts";
import { type Judgement, judge } from "../address-classify/judge.ts";
import { delegateOf } from "../address-classify/proxy.ts";
import type { EvmNode } from "../evm/node.ts";
import type { Verification, Verifier } from "../evm/verifier.ts";
import type { TokenIndex, TokenRecord } from "./token-index.ts";
import { askBalance, askToken, type TokenMetadata } from "./token-metadata.ts";
import { findPools, type LiquidityPool, type Markets } from "./trade-simulation/market.ts";
import type { TradeResult } from "./trade-simulation/trade.ts";
import { tryOut } from "./trade-simulation/try-out.ts";

/** Analyses contract code. */
export interface CodeAnalyser {
  /** Returns what the code can do. Undefined when the code could not be analysed in time. Never rejects. */
  analyse(code: Uint8Array): Promise<CodeAnalysis | undefined>;
}

/** The collaborators of one analysis. */
export interface Analysing {
  readonly analyser: CodeAnalyser;
  /** Without a verifier, the verification of a contract is unknown. */
  readonly verifier?: Verifier;
  /** Without an index, the holders and the age of a token are unknown. */
  readonly index?: TokenIndex;
  /** The markets of a chain. Undefined for a chain without configured markets. */
  readonly marketsOf: (chainId: string) => Markets | undefined;
  readonly random: Random;
  readonly clock: Pick<Clock, "now">;
}

/** The owner of a token. */
export interface Owner {
  readonly address: string;
  readonly kind: "EOA" | "Contract" | "None";
  /** The owner's balance of the token. Undefined when the token did not return one. */
  readonly balance: bigint | undefined;
}

/** All facts that an answer rests on, read at one block. */
export interface TokenFacts {
  readonly account: AccountFacts;
  readonly judgement: Judgement;
  readonly verification: Verification;
  readonly told: TokenMetadata;
  readonly owner: Owner | undefined;
  /** Undefined when the chain has no configured markets. */
  readonly pools: readonly LiquidityPool[] | undefined;
  readonly analysis: CodeAnalysis | undefined;
  readonly trade: TradeResult;
  readonly record: TokenRecord;
}

const ZERO = `0x${"0".repeat(40)}`;
/** An address without a key. A token with this owner has no owner. */
const DEAD = "0x000000000000000000000000000000000000dead";

const isNobody = (address: string) => address === ZERO || address === DEAD;

/** Reads a token from a node, analyses its code and simulates trades. @throws {NodeUnavailableError} */
export async function gatherToken(
  node: EvmNode,
  address: string,
  { analyser, verifier, index, marketsOf, random, clock }: Analysing,
  signal: AbortSignal,
): Promise<TokenFacts> {
  const registered = async (which: string): Promise<Verification> =>
    (await verifier?.verificationOf(node.chainId, which, signal)) ?? "unknown";
  const [account, own] = await Promise.all([gather(node, address, signal), registered(address)]);
  const { block } = account;
  const markets = marketsOf(node.chainId);
  const [verification, analysis, told, record, pools] = await Promise.all([
    verificationOf(account, own, registered),
    analysisOf(account, analyser),
    askToken(node, address, block, signal),
    index?.recordOf(node.chainId, address, signal) ?? {},
    markets === undefined ? undefined : findPools(node, address, markets, block, signal),
  ]);
  const judgement = judge(account, verification);
  const owns = told.owner !== undefined && !isNobody(told.owner) ? told.owner : undefined;
  const nowSec = BigInt(Math.floor(clock.now() / 1_000));
  const { wrapped, routers } = markets ?? { wrapped: ZERO, routers: [] };
  const tried = { node, address, block, nowSec, supply: told.supply, analysis, owner: owns, wrapped, routers };
  const [owner, trade] = await Promise.all([
    ownerOf(node, address, told.owner, block, signal),
    judgement.isErc20 ? tryOut({ ...tried, pools: pools ?? [] }, random, signal) : nothingTried,
  ]);
  return { account, judgement, verification, told, owner, pools, analysis, trade, record };
}

const nothingTried: TradeResult = {
  honeypot: "unknown",
  onlyOwnerSells: "unknown",
  sizeLimited: false,
  buyTax: undefined,
  transferTax: undefined,
  sellTax: undefined,
};

/** For a proxy, the implementation is analysed. A proxy with an unknown implementation has no analysis. */
async function analysisOf(
  { code, proxy, implementationCode }: AccountFacts,
  analyser: CodeAnalyser,
): Promise<CodeAnalysis | undefined> {
  const runs = proxy === undefined ? code : implementationCode;
  return runs.length === 0 ? undefined : analyser.analyse(runs);
}

async function ownerOf(
  node: EvmNode,
  token: string,
  address: string | undefined,
  at: bigint,
  signal: AbortSignal,
): Promise<Owner | undefined> {
  if (address === undefined) return undefined;
  if (isNobody(address)) return { address, kind: "None", balance: 0n };
  const [[code], balance] = await Promise.all([
    node.read([{ of: "code", address }], at, signal),
    askBalance(node, { token, holder: address }, at, signal),
  ]);
  const isAccount = code === undefined || code.length === 0 || delegateOf(code) !== undefined;
  return { address, kind: isAccount ? "EOA" : "Contract", balance };
}
