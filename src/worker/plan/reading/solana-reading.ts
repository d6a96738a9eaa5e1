import { requestParser } from "../../../api/requests/request.ts";
import { SolanaTransaction } from "../../../api/schemas/solana-emulate.ts";
import { type CanonicalAddress, parseAddress } from "../../../chains/address.ts";
import { namedGainers } from "../../../chains/solana/acts/named-gainers.ts";
import { compileMessage } from "../../../chains/solana/message/compile-message.ts";
import { isWritable, type Message } from "../../../chains/solana/message/message.ts";
import { isBase64, readTransactionText } from "../../../chains/solana/message/transaction-text.ts";
import { programsIn } from "../../../chains/solana/programs-in.ts";
import { sha256 } from "../../../kernel/hash.ts";
import { canonicalJson } from "../../../kernel/json.ts";
import { fail, ok, type Result } from "../../../kernel/result.ts";
import type { PackedListing } from "../../checks/listed-entry.ts";

/** The Solana transactions of one event, in order, as far as they can be read without a node. */
export interface SolanaReading {
  readonly transactions: readonly SolanaTransaction[];
  readonly feePayers: readonly CanonicalAddress[];
  /** The signers, fee payers included. */
  readonly signers: readonly CanonicalAddress[];
  /**
   * Accounts that are written and do not sign. Each receiver is one of these accounts, owns one, or is in a lookup
   * table.
   */
  readonly candidates: readonly CanonicalAddress[];
  /** Addresses to which the instructions themselves give a right, money or a token account. */
  readonly gainers: readonly CanonicalAddress[];
  /** Programs that the messages call or give a new account to. */
  readonly programs: readonly CanonicalAddress[];
  readonly usesLookupTables: boolean;
  /** Every account that the messages name, and every key that instructions give a right to. */
  readonly named: readonly CanonicalAddress[];
  /** The messages as they are signed. Instruction data may name further keys. */
  readonly packed: readonly PackedListing[];
  /** Hash of the signed message. Undefined for a structured message, or for several messages. */
  readonly messageSha256: string | undefined;
}

const read = requestParser(SolanaTransaction, undefined, "");

/**
 * Reads one or several Solana transactions of an event.
 *
 * @returns the reason when a value is no Solana transaction.
 */
export function readSolana(json: unknown): Result<SolanaReading> {
  const items = [json].flat();
  const transactions: SolanaTransaction[] = [];
  const messages: Message[] = [];
  for (const [i, item] of items.entries()) {
    const where = Array.isArray(json) ? `[${i}]: ` : "";
    const transaction = read(item);
    if (!transaction.ok) return fail(`${where}${transaction.detail}`);
    const message = readMessage(transaction.value);
    if (!message.ok) return fail(`${where}${message.detail}`);
    transactions.push(transaction.value);
    messages.push(message.value);
  }
  const [only] = messages;
  const isOneSerialized = !Array.isArray(json) && transactions[0]?.transaction !== undefined;
  return ok({
    transactions,
    feePayers: distinctAddresses(messages.flatMap(({ staticKeys }) => staticKeys.slice(0, 1))),
    signers: distinctAddresses(messages.flatMap(({ staticKeys, signers }) => staticKeys.slice(0, signers))),
    candidates: distinctAddresses(messages.flatMap(writtenOnly)),
    gainers: distinctAddresses(messages.flatMap(namedGainers)),
    programs: distinctAddresses(messages.flatMap(programsIn)),
    usesLookupTables: messages.some(({ lookups }) => lookups.length > 0),
    named: distinctAddresses(messages.flatMap((message) => [...message.staticKeys, ...namedGainers(message)])),
    packed: messages.map(({ bytes }) => ({ bytes })),
    messageSha256: only !== undefined && isOneSerialized ? sha256(only.bytes) : undefined,
  });
}

/** The hash that names the transaction: of the signed message if there is one, or else of the JSON. */
export function solanaSha256(json: unknown, reading: Result<SolanaReading>): string {
  return (reading.ok ? reading.value.messageSha256 : undefined) ?? sha256(canonicalJson(json));
}

/** The message of a serialized or structured item, or the reason why it cannot be read. */
export function readMessage({
  transaction,
  encoding,
  feePayer = "",
  instructions = [],
}: SolanaTransaction): Result<Message> {
  if (transaction !== undefined) return readTransactionText(transaction, encoding);
  const payer = parseAddress("solana", feePayer);
  if (!payer.ok) return fail(`feePayer: ${payer.detail}`);
  for (const [i, { programId, keys, data = "" }] of instructions.entries()) {
    if (!isBase64(data)) return fail(`instructions[${i}].data: not valid base64`);
    const bad = [programId, ...keys.map(({ pubkey }) => pubkey)].map((key) => parseAddress("solana", key));
    const first = bad.find((each) => !each.ok);
    if (first?.ok === false) return fail(`instructions[${i}]: ${first.detail}`);
  }
  const named = instructions.map(({ programId, keys, data = "" }) => ({
    program: programId,
    accounts: keys.map(({ pubkey, isSigner, isWritable: isWritten }) => ({
      address: pubkey,
      isSigner,
      isWritable: isWritten,
    })),
    data: Buffer.from(data, "base64"),
  }));
  return compileMessage(payer.value, named);
}

function writtenOnly(message: Message): readonly string[] {
  return message.staticKeys.filter((_, place) => place >= message.signers && isWritable(message, place));
}

function distinctAddresses(texts: readonly string[]): CanonicalAddress[] {
  return [...new Set(texts)].flatMap((text) => {
    const parsed = parseAddress("solana", text);
    return parsed.ok ? [parsed.value] : [];
  });
}
