import { fail, ok, type Result } from "../../../kernel/result.ts";
import { KEY_BYTES, keyText } from "../key.ts";
import { ByteReader, EndOfBytesError } from "./byte-reader.ts";

/** One instruction of a message. Accounts are given by index. */
export interface CompiledInstruction {
  readonly program: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
}

/** Accounts in a lookup table on the chain. The message holds only the address of the table and the indexes in it. */
export interface TableLookup {
  readonly table: string;
  readonly writable: Uint8Array;
  readonly readonly: Uint8Array;
}

/**
 * The signed part of a transaction. The order of accounts is: static accounts, then writable accounts of all tables,
 * then read-only accounts of all tables.
 */
export interface Message {
  readonly version: "legacy" | 0;
  readonly signers: number;
  readonly readonlySigners: number;
  readonly readonlyOthers: number;
  /** The accounts that the message itself lists, in base58. The fee payer is first. */
  readonly staticKeys: readonly string[];
  readonly instructions: readonly CompiledInstruction[];
  readonly lookups: readonly TableLookup[];
  /** The bytes that are signed. */
  readonly bytes: Uint8Array;
}

/**
 * The most bytes of a transaction of these versions with its signatures. Source: Solana, PACKET_DATA_SIZE: an IPv6
 * packet of 1,280 bytes less its headers.
 */
export const MAX_TRANSACTION_BYTES = 1_232;
const SIGNATURE_BYTES = 64;
const VERSION_FLAG = 0x80;

/**
 * Reads a serialized transaction, or a message alone, of version 0 or without a version. All bytes must be used up.
 * Bytes that are valid as both forms are refused. Otherwise Weir could show one meaning while the wallet signs the
 * other. Source: Solana, "Transaction format".
 */
export function readTransaction(bytes: Uint8Array): Result<Message> {
  const whole = readWith(bytes, (reader) => {
    const signatures = reader.shortLength();
    reader.take(signatures * SIGNATURE_BYTES);
    const message = readMessage(bytes, reader);
    if (signatures !== message.signers)
      throw new EndOfBytesError(`holds ${signatures} signatures for ${message.signers} signers`);
    return message;
  });
  const isVersioned = (bytes[0] ?? 0) >= VERSION_FLAG;
  if (!isVersioned && !mayBeLegacyMessage(bytes)) return whole;
  const alone = readMessageAlone(bytes);
  if (whole.ok && alone.ok) return fail("reads as a transaction and as a message without signatures");
  return alone.ok || isVersioned ? alone : whole;
}

/**
 * Whether the first bytes can be the header of a legacy message. This check rejects most transactions without an
 * exception.
 */
function mayBeLegacyMessage([signers = 0, readonlySigners = 0, readonlyOthers = 0, keys = 0]: Uint8Array): boolean {
  return readonlySigners < signers && (keys > 0x7f || signers + readonlyOthers <= keys);
}

/** Reads a message without signatures before it. */
export function readMessageAlone(bytes: Uint8Array): Result<Message> {
  return readWith(bytes, (reader) => readMessage(bytes, reader));
}

function readWith(bytes: Uint8Array, read: (reader: ByteReader) => Message): Result<Message> {
  const reader = new ByteReader(bytes);
  try {
    const message = read(reader);
    return reader.left === 0 ? ok(message) : fail(`${reader.left} bytes follow the transaction`);
  } catch (thrown) {
    if (thrown instanceof EndOfBytesError) return fail(thrown.message);
    throw thrown;
  }
}

function readMessage(bytes: Uint8Array, reader: ByteReader): Message {
  const begin = reader.at;
  const first = reader.byte();
  const version = first < VERSION_FLAG ? "legacy" : first - VERSION_FLAG;
  if (version !== "legacy" && version !== 0)
    throw new EndOfBytesError(`has version ${version}, which is not supported`);
  const signers = version === "legacy" ? first : reader.byte();
  const readonlySigners = reader.byte();
  const readonlyOthers = reader.byte();
  const staticKeys = list(reader, () => keyText(reader.take(KEY_BYTES)));
  reader.take(KEY_BYTES);
  const instructions = list(reader, () => ({
    program: reader.byte(),
    accounts: reader.take(reader.shortLength()),
    data: reader.take(reader.shortLength()),
  }));
  const lookups = version === "legacy" ? [] : list(reader, () => readLookup(reader));
  const message = { version, signers, readonlySigners, readonlyOthers, staticKeys, instructions, lookups } as const;
  checkPlaces(message);
  return { ...message, bytes: bytes.subarray(begin, reader.at) };
}

function readLookup(reader: ByteReader): TableLookup {
  return {
    table: keyText(reader.take(KEY_BYTES)),
    writable: reader.take(reader.shortLength()),
    readonly: reader.take(reader.shortLength()),
  };
}

function list<T>(reader: ByteReader, read: () => T): T[] {
  return Array.from({ length: reader.shortLength() }, read);
}

/**
 * Refuses messages that a node refuses before it loads any account. Source: Solana, Message::sanitize and
 * v0::Message::sanitize.
 */
function checkPlaces(message: Omit<Message, "bytes">): void {
  const { signers, readonlySigners, readonlyOthers, staticKeys, instructions, lookups } = message;
  if (signers === 0 || readonlySigners >= signers) throw new EndOfBytesError("has no fee payer who may be charged");
  if (signers + readonlyOthers > staticKeys.length)
    throw new EndOfBytesError("names fewer accounts than its header says");
  const loaded = lookups.reduce((sum, { writable, readonly }) => sum + writable.length + readonly.length, 0);
  if (lookups.some(({ writable, readonly }) => writable.length + readonly.length === 0))
    throw new EndOfBytesError("names a lookup table and none of its accounts");
  const accounts = staticKeys.length + loaded;
  if (accounts > 256) throw new EndOfBytesError(`names ${accounts} accounts, of which places can name 256`);
  for (const [i, { program, accounts: places }] of instructions.entries()) {
    if (program === 0 || program >= staticKeys.length)
      throw new EndOfBytesError(`instruction ${i} names no program among its accounts`);
    const beyond = places.find((place) => place >= accounts);
    if (beyond !== undefined) throw new EndOfBytesError(`instruction ${i} names account ${beyond} of ${accounts}`);
  }
}

/** Whether the message asks to write the account at index `place`. A node may still refuse that. */
export function isWritable(message: Message, place: number): boolean {
  const { signers, readonlySigners, readonlyOthers, staticKeys, lookups } = message;
  if (place < signers) return place < signers - readonlySigners;
  if (place < staticKeys.length) return place < staticKeys.length - readonlyOthers;
  return place < staticKeys.length + lookups.reduce((sum, { writable }) => sum + writable.length, 0);
}
