import type { Instruction } from "../../../chains/solana/acts/act.ts";
import { actsOf } from "../../../chains/solana/acts/acts-of.ts";
import { readBatch } from "../../../chains/solana/acts/token-acts.ts";
import { EndOfBytesError } from "../../../chains/solana/message/byte-reader.ts";
import { FieldReader } from "../../../chains/solana/message/field-reader.ts";
import { isStandardProgram, isTokenProgram, programs } from "../../../chains/solana/programs.ts";
import { SMALL_CHANGE } from "../../../chains/solana/rules/token-changes.ts";
import type { InstructionCall } from "../called.ts";
import { holderOf } from "./account-findings.ts";
import { type SolanaFacts, tokenAccountAt } from "./facts.ts";

/**
 * Numbers of the transfer instructions, with the position of the receiving account. Source: Token-2022,
 * TokenInstruction.
 */
const transfers: ReadonlyMap<number | undefined, number> = new Map([
  [3, 1],
  [12, 2],
  [26, 2],
]);
/** Numbers of the instructions that mint or burn tokens, or that unwrap SOL. */
const supplies: ReadonlySet<number | undefined> = new Set([7, 14, 8, 15, 45, 46]);
/** Numbers of the system program's instructions that send lamports to an account. Source: Solana, SystemInstruction. */
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
/** Highest fee for the maker of the transaction: a fiftieth of the SOL that leaves. */
const SHARE_OF_FEES = 50n;

/**
 * True when labelled protocols or bridges do the whole trade, apart from programs of the network. The transaction
 * itself then moves no tokens of the user to another owner, and none to the user. It sends no more SOL than a fee. A
 * labelled program that only takes part excuses nothing, because a thief may call any program on the way.
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

/**
 * True when the user owns the token account before the transaction, or owns it afterwards if the transaction creates
 * it.
 */
function isOwn(account: string | undefined, who: string, { simulation: { before, after } }: SolanaFacts): boolean {
  if (account === undefined) return false;
  return (tokenAccountAt(before, account) ?? tokenAccountAt(after, account))?.owner === who;
}

/**
 * Lamports that an instruction of the message sends to an account that does not end as one of the user. Undefined for
 * data that is cut short.
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

/** The holder of an account at the end. For a closed account, the address that gets its lamports. */
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
