import { fail, type Result } from "../../../kernel/result.ts";
import { KEY_BYTES, keyBytes } from "../key.ts";
import { MAX_TRANSACTION_BYTES, type Message, readMessageAlone } from "./message.ts";

/** One instruction with its accounts by address. The addresses are valid. */
export interface NamedInstruction {
  readonly program: string;
  readonly accounts: readonly { readonly address: string; readonly isSigner: boolean; readonly isWritable: boolean }[];
  readonly data: Uint8Array;
}

interface Use {
  isSigner: boolean;
  isWritable: boolean;
}

/** The index of an account is one byte. */
const MAX_ACCOUNTS = 256;

/**
 * The legacy message that holds `instructions`, with `feePayer` as the payer and a blockhash of zeros. An account that
 * signs or is writable in one instruction is so in all instructions. Within a class, accounts stand in the order of
 * their first use. Source: Solana, "Transaction format".
 */
export function compileMessage(feePayer: string, instructions: readonly NamedInstruction[]): Result<Message> {
  const uses = new Map<string, Use>([[feePayer, { isSigner: true, isWritable: true }]]);
  for (const { program, accounts } of instructions) {
    for (const account of accounts) add(uses, account.address, account);
    add(uses, program, { isSigner: false, isWritable: false });
  }
  if (uses.size > MAX_ACCOUNTS) return fail(`names ${uses.size} accounts, of which a message can hold ${MAX_ACCOUNTS}`);
  const classOf = ({ isSigner, isWritable }: Use) => (isSigner ? 0 : 2) + (isWritable ? 0 : 1);
  const ordered = [...uses].sort(([, a], [, b]) => classOf(a) - classOf(b));
  const count = (wanted: number) => ordered.filter(([, use]) => classOf(use) === wanted).length;
  const places = new Map(ordered.map(([address], place) => [address, place]));
  const placeOf = (address: string) => places.get(address) ?? 0;
  const bytes = Uint8Array.from([
    count(0) + count(1),
    count(1),
    count(3),
    ...shortLength(ordered.length),
    ...ordered.flatMap(([address]) => [...keyBytes(address)]),
    ...new Uint8Array(KEY_BYTES),
    ...shortLength(instructions.length),
    ...instructions.flatMap(({ program, accounts, data }) => [
      placeOf(program),
      ...shortLength(accounts.length),
      ...accounts.map(({ address }) => placeOf(address)),
      ...shortLength(data.length),
      ...data,
    ]),
  ]);
  const signatures = 1 + 64 * (count(0) + count(1));
  if (signatures + bytes.length > MAX_TRANSACTION_BYTES)
    return fail(`takes ${signatures + bytes.length} bytes, of which a transaction may have ${MAX_TRANSACTION_BYTES}`);
  return readMessageAlone(bytes);
}

function add(uses: Map<string, Use>, address: string, { isSigner, isWritable }: Use): void {
  const use = uses.get(address) ?? { isSigner: false, isWritable: false };
  uses.set(address, { isSigner: use.isSigner || isSigner, isWritable: use.isWritable || isWritable });
}

function shortLength(length: number): number[] {
  return length < 0x80 ? [length] : [(length & 0x7f) | 0x80, ...shortLength(length >> 7)];
}
