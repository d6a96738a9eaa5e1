import { keyText } from "../key.ts";
import { FieldReader } from "../message/field-reader.ts";
import { isTokenProgram, programs } from "../programs.ts";
import type { AccountState } from "./account-state.ts";

/**
 * Powers over a token that its mint gives to the issuer, and effects of the mint on every transfer. The names are also
 * names of findings.
 */
export const mintDangers = [
  "permanent_delegate",
  "transfer_hook",
  "transfer_fee",
  "default_frozen",
  "non_transferable",
] as const;
export type MintDanger = (typeof mintDangers)[number];

/** The fee that is withheld from a transfer. */
export interface TransferFee {
  /** Hundredths of a percent. */
  readonly rate: number;
  /** In the smallest unit. */
  readonly most: bigint;
}

export interface Mint {
  readonly decimals: number;
  /** In the smallest unit. */
  readonly supply: bigint;
  readonly dangers: readonly MintDanger[];
  /** The most recently set fee. It may come into force in a later epoch only. */
  readonly fee: TransferFee | undefined;
  /** The program that every transfer calls. */
  readonly hook: string | undefined;
}

const MINT_BYTES = 82;
const SUPPLY_AT = 36;
/**
 * Extensions begin behind the layout of a token account, which is the longer of both layouts. This holds for mints too.
 */
const KIND_AT = 165;
const KIND_MINT = 1;
const MULTISIG_BYTES = 355;

/** Numbers of extensions. Source: Token-2022, ExtensionType. */
const TRANSFER_FEE_CONFIG = 1;
const DEFAULT_ACCOUNT_STATE = 6;
const NON_TRANSFERABLE = 9;
const PERMANENT_DELEGATE = 12;
const TRANSFER_HOOK = 14;
const FROZEN = 2;

/**
 * Reads a mint of either token program. Undefined for any other account. Source: SPL Token, state::Mint; Token-2022,
 * extension TLV (type and length of 16 bits each, then the value).
 */
export function readMint({ owner: program, data }: AccountState): Mint | undefined {
  if (!isTokenProgram(program) || data[45] !== 1) return undefined;
  const is2022 = program === programs.token2022 && data.length > KIND_AT && data.length !== MULTISIG_BYTES;
  if (data.length !== MINT_BYTES && !(is2022 && data[KIND_AT] === KIND_MINT)) return undefined;
  const supply = new DataView(data.buffer, data.byteOffset, data.length).getBigUint64(SUPPLY_AT, true);
  const extensions = is2022 ? extensionsOf(data) : new Map<number, Uint8Array>();
  const dangers = [...extensions].flatMap(([type, value]) => dangerOf(type, value) ?? []);
  const [fee, hook] = [extensions.get(TRANSFER_FEE_CONFIG), extensions.get(TRANSFER_HOOK)];
  return { decimals: data[44] ?? 0, supply, dangers, fee: fee && latestFee(fee), hook: hook && programOf(hook) };
}

/** The extensions by number. A mint has no extension twice. */
function extensionsOf(data: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const found = new Map<number, Uint8Array>();
  for (let at = KIND_AT + 1; at + 4 <= data.length; ) {
    const length = view.getUint16(at + 2, true);
    found.set(view.getUint16(at, true), data.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}

function dangerOf(type: number, value: Uint8Array): MintDanger | undefined {
  if (type === TRANSFER_FEE_CONFIG) return takesFee(value) ? "transfer_fee" : undefined;
  if (type === DEFAULT_ACCOUNT_STATE) return value[0] === FROZEN ? "default_frozen" : undefined;
  if (type === NON_TRANSFERABLE) return "non_transferable";
  if (type === PERMANENT_DELEGATE) return isSet(value.subarray(0, 32)) ? "permanent_delegate" : undefined;
  // The value holds an authority, which may name a program later, and the program that every transfer calls.
  if (type === TRANSFER_HOOK) return isSet(value.subarray(0, 64)) ? "transfer_hook" : undefined;
  return undefined;
}

/**
 * Whether a fee is taken, or an authority may set one. The value begins with that authority. Another authority and an
 * amount follow, then the older and the newer fee of 18 bytes each. The last two bytes of a fee are its rate in
 * hundredths of a percent.
 */
function takesFee(value: Uint8Array): boolean {
  return isSet(value.subarray(0, 32)) || isSet(value.subarray(88, 90)) || isSet(value.subarray(106, 108));
}

/** The newer fee: its epoch comes first, then its maximum, then its rate. */
function latestFee(value: Uint8Array): TransferFee | undefined {
  if (value.length < 108) return undefined;
  const reader = new FieldReader(value.subarray(98));
  const most = reader.u64();
  return { most, rate: reader.byte() | (reader.byte() << 8) };
}

function programOf(value: Uint8Array): string | undefined {
  const key = value.subarray(32, 64);
  return key.length === 32 && isSet(key) ? keyText(key) : undefined;
}

function isSet(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte !== 0);
}
