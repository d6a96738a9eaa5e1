import type { Instruction } from "../../../chains/solana/acts/act.ts";
import { FieldReader } from "../../../chains/solana/message/field-reader.ts";
import { isReadInstruction } from "../../../chains/solana/message/read-instructions.ts";
import { programs } from "../../../chains/solana/programs.ts";

export interface SolTransfer {
  readonly kind: "sol";
  readonly from: string;
  readonly to: string;
  readonly lamports: bigint;
}

export interface TokenTransfer {
  readonly kind: "tokens";
  /** Token accounts, not the wallets that own them. */
  readonly source: string;
  readonly destination: string;
  readonly authority: string;
  /** In the smallest unit, above 0. */
  readonly amount: bigint;
  /** Undefined if the instruction does not state them. */
  readonly mint: string | undefined;
  readonly decimals: number | undefined;
}

/** An associated token account that the transaction creates, unless the account already exists. */
export interface MadeAccount {
  readonly kind: "account";
  readonly payer: string;
  readonly account: string;
  readonly wallet: string;
  readonly mint: string;
}

/** Effects of instructions that balances show in full. */
export interface PlainTransfers {
  readonly sol: readonly SolTransfer[];
  readonly tokens: readonly TokenTransfer[];
  readonly made: readonly MadeAccount[];
  /** The programs that the instructions call. */
  readonly called: ReadonlySet<string>;
  /** The programs that may run, including programs that the called programs call. */
  readonly programs: ReadonlySet<string>;
  /** Instructions with an effect that balances do not show in full, in words. */
  readonly unshown: readonly string[];
}

/** Source: Solana, SystemInstruction. */
const SYSTEM_TRANSFER = 2;
const SYSTEM_TRANSFER_BYTES = 12;
/** AdvanceNonceAccount: the nonce, the recent blockhashes and the authority. */
const ADVANCE_NONCE = 4;
const ADVANCE_NONCE_BYTES = 4;
const ADVANCE_NONCE_ACCOUNTS = 3;
/** Token transfers with one authority. Source: SPL Token, TokenInstruction. */
const TRANSFER = 3;
const TRANSFER_CHECKED = 12;
const AMOUNT_BYTES = 9;
/**
 * Number of accounts of an instruction that creates a token account. Older clients also name the rent. Source: SPL
 * Associated Token.
 */
const MAKE_ACCOUNTS: readonly number[] = [6, 7];
/** Create, and CreateIdempotent. */
const MAKE_NUMBERS: readonly number[] = [0, 1];

type Plain = { readonly kind: "nothing" } | SolTransfer | TokenTransfer | MadeAccount;

/**
 * Reads the effects that balances show in full: payments, their fees and memos, and new associated accounts. Associated
 * accounts count only for tokens of the original token program.
 */
export function readPlainTransfers(instructions: readonly Instruction[]): PlainTransfers {
  const read = instructions.map((instruction) => ({ instruction, plain: plainOf(instruction) }));
  const plain = read.flatMap(({ plain: each }) => each ?? []);
  const made = plain.filter((each) => each.kind === "account");
  const called = new Set(instructions.map(({ program }) => program));
  return {
    sol: plain.filter((each) => each.kind === "sol"),
    tokens: plain.filter((each) => each.kind === "tokens"),
    made,
    called,
    programs: new Set([...called, ...(made.length === 0 ? [] : [programs.system, programs.token])]),
    unshown: read.flatMap(({ instruction, plain: each }) => (each === undefined ? [inWords(instruction)] : [])),
  };
}

/** Whether SOL or tokens move at all. */
export function movesAnything({ sol, tokens }: PlainTransfers): boolean {
  return tokens.length > 0 || sol.some(({ lamports }) => lamports > 0n);
}

function plainOf(instruction: Instruction): Plain | undefined {
  const accounts = instruction.accounts.filter((each) => each !== undefined);
  if (accounts.length < instruction.accounts.length) return undefined;
  switch (instruction.program) {
    case programs.memo:
    case programs.oldMemo:
      return { kind: "nothing" };
    case programs.computeBudget:
      return accounts.length === 0 && isReadInstruction(instruction) ? { kind: "nothing" } : undefined;
    case programs.system:
      return solOf(accounts, instruction.data);
    case programs.token:
      return tokensOf(accounts, instruction.data);
    case programs.associatedToken:
      return accountOf(accounts, instruction.data);
    default:
      return undefined;
  }
}

/** SOL that is transferred. A durable nonce that advances keeps its SOL. */
function solOf(accounts: readonly string[], data: Uint8Array): Plain | undefined {
  const [from, to, ...more] = accounts;
  if (data.length === ADVANCE_NONCE_BYTES && accounts.length === ADVANCE_NONCE_ACCOUNTS)
    return new FieldReader(data).u32() === ADVANCE_NONCE ? { kind: "nothing" } : undefined;
  if (data.length !== SYSTEM_TRANSFER_BYTES || from === undefined || to === undefined || more.length > 0)
    return undefined;
  const reader = new FieldReader(data);
  return reader.u32() === SYSTEM_TRANSFER ? { kind: "sol", from, to, lamports: reader.u64() } : undefined;
}

/** A transfer of 0 shows no receiver. Token accounts with several signers are not read. */
function tokensOf(accounts: readonly string[], data: Uint8Array): Plain | undefined {
  const isChecked = data[0] === TRANSFER_CHECKED;
  if (data.length < AMOUNT_BYTES || !(isChecked || data[0] === TRANSFER)) return undefined;
  const [source, mint, destination, authority, ...more] = isChecked
    ? accounts
    : [accounts[0], undefined, ...accounts.slice(1)];
  if (source === undefined || destination === undefined || authority === undefined || more.length > 0) return undefined;
  const amount = new FieldReader(data.subarray(1)).u64();
  const decimals = isChecked ? data[AMOUNT_BYTES] : undefined;
  return amount === 0n ? undefined : { kind: "tokens", source, destination, authority, amount, mint, decimals };
}

function accountOf([payer, account, wallet, mint, ...more]: readonly string[], data: Uint8Array): Plain | undefined {
  const [, tokenProgram] = more;
  if (!MAKE_ACCOUNTS.includes(more.length + 4) || !MAKE_NUMBERS.includes(data[0] ?? 0)) return undefined;
  if (payer === undefined || account === undefined || wallet === undefined || mint === undefined) return undefined;
  return tokenProgram === programs.token ? { kind: "account", payer, account, wallet, mint } : undefined;
}

function inWords({ program, data }: Instruction): string {
  return `it calls the program ${program}${data[0] === undefined ? "" : ` by number ${data[0]}`}`;
}
