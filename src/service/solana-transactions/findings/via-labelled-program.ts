import type { Instruction } from "../../../chains/solana/acts/act.ts";
import { actsOf } from "../../../chains/solana/acts/acts-of.ts";
import { readBatch } from "../../../chains/solana/acts/token-acts.ts";
import { EndOfBytesError } from "../../../chains/solana/message/byte-reader.ts";
import { FieldReader } from "../../../chains/solana/message/field-reader.ts";
import { isStandardProgram, isTokenProgram, programs } from "../../../chains/solana/programs.ts";
import { SMALL_CHANGE } from "../../../chains/solana/rules/token-changes.ts";
import type { InstructionCall } from "../called.ts";
import { type SolanaFacts, tokenAccountAt } from "./facts.ts";
import { holderOf } from "./holdings.ts";

/** Numbers of transfers, and the place of whoever gets them. Source: Token-2022, TokenInstruction. */
const transfers: ReadonlyMap<number | undefined, number> = new Map([
  [3, 1],
  [12, 2],
  [26, 2],
]);
/** Of what makes or destroys tokens, or pays out wrapped SOL: mints, burns, and SOL that is unwrapped. */
const supplies: ReadonlySet<number | undefined> = new Set([7, 14, 8, 15, 45, 46]);
/** Numbers of the system program by which lamports go to an account. Source: Solana, SystemInstruction. */
const CREATE_ACCOUNT = 0;
const TRANSFER = 2;
const CREATE_WITH_SEED = 3;
const TRANSFER_WITH_SEED = 11;
const CREATE_ALLOW_PREFUND = 13;
const payments: ReadonlySet<number> = new Set([
  CREATE_ACCOUNT,
  TRANSFER,
  CREATE_WITH_SEED,
  TRANSFER_WITH_SEED,
  CREATE_ALLOW_PREFUND,
]);
/** What whoever made the transaction takes beside it: a fiftieth at most of the SOL that leaves. */
const SHARE_OF_FEES = 50n;

/**
 * Whether labelled protocols or bridges do all of it beside what the network brings, so that what somebody pays and gets goes
 * by way of them: the transaction itself moves no tokens of his to anybody, and none to him, and no more SOL than a fee.
 * One that only takes part excuses nothing: whoever robs may call any program on the way.
 */
export function isServed(who: string, lamportsGone: bigint, facts: SolanaFacts): boolean {
  const { calls, isService } = facts;
  const others = calls.filter(({ program }) => !isStandardProgram(program));
  if (others.length === 0 || !others.every(({ program }) => isService(program))) return false;
  const own = calls.filter(({ isInner }) => !isInner);
  const aboutTokens = own.filter(({ program }) => isTokenProgram(program)).flatMap((call) => readBatch(call) ?? []);
  if (aboutTokens.some((instruction) => movesTokens(instruction, who, facts))) return false;
  const sent = own.map((call) => lamportsSent(call, who, facts));
  if (sent.includes(undefined)) return false;
  const sum = sent.reduce<bigint>((total, lamports) => total + (lamports ?? 0n), 0n);
  return sum <= SMALL_CHANGE || sum * SHARE_OF_FEES <= lamportsGone;
}

function movesTokens({ accounts, data: [number] }: Instruction, who: string, facts: SolanaFacts): boolean {
  if (supplies.has(number)) return true;
  const place = transfers.get(number);
  return place !== undefined && [accounts[0], accounts[place]].some((account) => !isOwn(account, who, facts));
}

/** Whether a token account is somebody's, before or, if it is made on the way, afterwards. */
function isOwn(account: string | undefined, who: string, { simulation: { before, after } }: SolanaFacts): boolean {
  if (account === undefined) return false;
  return (tokenAccountAt(before, account) ?? tokenAccountAt(after, account))?.owner === who;
}

/**
 * Lamports that an instruction of the transaction itself sends to an account that does not end as one of the same person;
 * undefined for data that are cut short.
 */
function lamportsSent(
  { program, accounts, data }: InstructionCall,
  who: string,
  facts: SolanaFacts,
): bigint | undefined {
  if (program !== programs.system) return 0n;
  const reader = new FieldReader(data);
  try {
    const number = reader.u32();
    if (!payments.has(number)) return 0n;
    const to = accounts[number === TRANSFER_WITH_SEED ? 2 : number === CREATE_ALLOW_PREFUND ? 0 : 1];
    if (to === who || endsAs(to, facts) === who) return 0n;
    if (number === CREATE_WITH_SEED) {
      reader.key();
      reader.skipText();
    }
    return reader.u64();
  } catch (thrown) {
    if (thrown instanceof EndOfBytesError) return undefined;
    throw thrown;
  }
}

/** Whose an account is in the end; of one that is closed, who gets what it holds. */
function endsAs(
  account: string | undefined,
  { calls, simulation: { after }, derived }: SolanaFacts,
): string | undefined {
  if (account === undefined) return undefined;
  const state = after.get(account);
  if (state !== undefined) return holderOf(account, state, derived);
  const closes = calls
    .flatMap(actsOf)
    .flatMap((act) => (act.kind === "close" && act.account === account ? act.to : []));
  return closes.every((to) => to === closes[0]) ? closes[0] : undefined;
}
