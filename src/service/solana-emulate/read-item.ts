import { parseAddress } from "../../chains/address.ts";
import { compileMessage } from "../../chains/solana/compile-message.ts";
import { base58Bytes } from "../../chains/solana/key.ts";
import { MAX_TRANSACTION_BYTES, type Message, readTransaction } from "../../chains/solana/message.ts";
import type { FailureName } from "../../contract/failures.ts";
import type { SolanaTransaction } from "../../contract/solana-emulate.ts";
import type { Result } from "../../kernel/result.ts";
import type { Answer } from "../answer.ts";

/** Longest text that is decoded at all, in characters; base58 decoding is quadratic. */
const MAX_TEXT = { base64: 65_536, base58: 1_683 } as const;
const ALPHABET = {
  base64: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  base58: /^[1-9A-HJ-NP-Za-km-z]+$/,
} as const;

/** A refusal of the whole request. */
export type Refusal = Extract<Answer<never>, { ok: false }>;
type Read = { readonly ok: true; readonly value: Message } | Refusal;

/** The message of one item of a request, or the refusal that names its field. `path` is the item's place. */
export function readItem(item: SolanaTransaction, path: string): Read {
  return item.transaction === undefined
    ? readStructured(item, path)
    : readText(item.transaction, item.encoding, `${path}.transaction`);
}

function readText(text: string, encoding: "base64" | "base58", path: string): Read {
  if (text.length === 0) return refuse("schemaMismatch", `${path}: must not be empty`);
  if (text.length > MAX_TEXT[encoding]) {
    return refuse("schemaMismatch", `${path}: longer than ${MAX_TEXT[encoding]} characters of ${encoding}`);
  }
  if (!ALPHABET[encoding].test(text)) return refuse("schemaMismatch", `${path}: not valid ${encoding}`);
  const bytes = encoding === "base64" ? Buffer.from(text, "base64") : (base58Bytes(text) ?? new Uint8Array());
  if (bytes.length > MAX_TRANSACTION_BYTES) {
    const detail = `${bytes.length} bytes, of which a transaction may have ${MAX_TRANSACTION_BYTES}`;
    return refuse("schemaMismatch", `${path}: holds ${detail}`);
  }
  return refused(readTransaction(bytes), path);
}

function readStructured({ feePayer = "", instructions = [] }: SolanaTransaction, path: string): Read {
  const keys = [{ at: `${path}.feePayer`, key: feePayer }];
  for (const [i, { programId, keys: accounts, data }] of instructions.entries()) {
    const at = `${path}.instructions[${i}]`;
    keys.push({ at: `${at}.programId`, key: programId });
    keys.push(...accounts.map(({ pubkey }, k) => ({ at: `${at}.keys[${k}].pubkey`, key: pubkey })));
    if (data !== undefined && !ALPHABET.base64.test(data)) {
      return refuse("schemaMismatch", `${at}.data: not valid base64`);
    }
  }
  for (const { at, key } of keys) {
    const parsed = parseAddress("solana", key);
    if (!parsed.ok) return refuse("invalidAddress", `${at}: ${parsed.detail}`);
  }
  const named = instructions.map(({ programId, keys: accounts, data = "" }) => ({
    program: programId,
    accounts: accounts.map(({ pubkey, isSigner, isWritable }) => ({ address: pubkey, isSigner, isWritable })),
    data: Buffer.from(data, "base64"),
  }));
  return refused(compileMessage(feePayer, named), path);
}

function refused(read: Result<Message>, path: string): Read {
  return read.ok ? read : refuse("schemaMismatch", `${path}: ${read.detail}`);
}

function refuse(failure: FailureName, detail: string): Refusal {
  return { ok: false, failure, detail };
}
