import type { Instruction } from "../../chains/solana/act.ts";
import { FieldReader } from "../../chains/solana/field-reader.ts";
import { isKnownInstruction } from "../../chains/solana/known-instruction.ts";
import { programs, WRAPPED_SOL } from "../../chains/solana/programs.ts";

/** What instructions do that balances show in full. */
export interface PlainTransfers {
  /** Token units that each authority sends, by its address. */
  readonly sent: ReadonlyMap<string, bigint>;
  /** Whether SOL or tokens move at all. */
  readonly movesAnything: boolean;
  /** Whether token accounts are made, but for wrapped SOL. */
  readonly makesAccounts: boolean;
  /** The programs that run, those under the instructions among them. */
  readonly programs: ReadonlySet<string>;
  /** Instructions whose whole effect no balance shows, in words. */
  readonly unshown: readonly string[];
}

/** Source: Solana, SystemInstruction. */
const SYSTEM_TRANSFER = 2;
const SYSTEM_TRANSFER_BYTES = 12;
/** Accounts of a token transfer with one authority, by its number. Source: SPL Token, TokenInstruction. */
const tokenTransfers: ReadonlyMap<number | undefined, number> = new Map([
  [3, 3],
  [12, 4],
]);
/** Accounts of an instruction that makes a token account; older clients name the rent as well. Source: SPL Associated Token. */
const MAKE_ACCOUNTS: readonly number[] = [6, 7];
/** Create, and CreateIdempotent. */
const MAKE_NUMBERS: readonly number[] = [0, 1];

type Plain =
  | { readonly kind: "nothing" }
  | { readonly kind: "sol"; readonly lamports: bigint }
  | { readonly kind: "tokens"; readonly authority: string; readonly amount: bigint }
  | { readonly kind: "account"; readonly isWrapped: boolean };

/** Reads what balances show in full: payments, their fees and notes, and associated accounts for tokens of the first program. */
export function readPlainTransfers(instructions: readonly Instruction[]): PlainTransfers {
  const read = instructions.map((instruction) => ({ instruction, plain: plainOf(instruction) }));
  const plain = read.flatMap(({ plain: each }) => each ?? []);
  const sent = new Map<string, bigint>();
  for (const each of plain) {
    if (each.kind === "tokens") sent.set(each.authority, (sent.get(each.authority) ?? 0n) + each.amount);
  }
  const makes = plain.filter((each) => each.kind === "account");
  return {
    sent,
    movesAnything: sent.size > 0 || plain.some((each) => each.kind === "sol" && each.lamports > 0n),
    makesAccounts: makes.some(({ isWrapped }) => !isWrapped),
    programs: new Set([
      ...instructions.map(({ program }) => program),
      ...(makes.length === 0 ? [] : [programs.system, programs.token]),
    ]),
    unshown: read.flatMap(({ instruction, plain: each }) => (each === undefined ? [inWords(instruction)] : [])),
  };
}

function plainOf(instruction: Instruction): Plain | undefined {
  if (instruction.accounts.includes(undefined)) return undefined;
  switch (instruction.program) {
    case programs.memo:
    case programs.oldMemo:
      return { kind: "nothing" };
    case programs.computeBudget:
      return instruction.accounts.length === 0 && isKnownInstruction(instruction) ? { kind: "nothing" } : undefined;
    case programs.system:
      return solOf(instruction);
    case programs.token:
      return tokensOf(instruction);
    case programs.associatedToken:
      return accountOf(instruction);
    default:
      return undefined;
  }
}

function solOf({ accounts, data }: Instruction): Plain | undefined {
  if (data.length !== SYSTEM_TRANSFER_BYTES || accounts.length !== 2) return undefined;
  const reader = new FieldReader(data);
  return reader.u32() === SYSTEM_TRANSFER ? { kind: "sol", lamports: reader.u64() } : undefined;
}

/** A transfer of nothing shows no receiver. Several signers of one token account are not looked for. */
function tokensOf({ accounts, data }: Instruction): Plain | undefined {
  const authority = accounts.at(-1);
  if (tokenTransfers.get(data[0]) !== accounts.length || authority === undefined || data.length < 9) return undefined;
  const amount = new FieldReader(data.subarray(1)).u64();
  return amount === 0n ? undefined : { kind: "tokens", authority, amount };
}

function accountOf({ accounts, data }: Instruction): Plain | undefined {
  const [, , , mint, , tokenProgram] = accounts;
  const isMade = MAKE_ACCOUNTS.includes(accounts.length) && MAKE_NUMBERS.includes(data[0] ?? 0);
  return isMade && tokenProgram === programs.token ? { kind: "account", isWrapped: mint === WRAPPED_SOL } : undefined;
}

function inWords({ program, data }: Instruction): string {
  return `it calls the program ${program}${data[0] === undefined ? "" : ` by number ${data[0]}`}`;
}
