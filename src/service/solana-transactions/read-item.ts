import type { FailureName } from "../../api/failures.ts";
import type { SolanaTransaction } from "../../api/schemas/solana-emulate.ts";
import { parseAddress } from "../../chains/address.ts";
import { compileMessage } from "../../chains/solana/message/compile-message.ts";
import type { Message } from "../../chains/solana/message/message.ts";
import { isBase64, readTransactionText } from "../../chains/solana/message/transaction-text.ts";
import type { Result } from "../../kernel/result.ts";
import type { Answer } from "../answer.ts";

/** A refusal of the whole request. */
export type Refusal = Extract<Answer<never>, { ok: false }>;
type Read = { readonly ok: true; readonly value: Message } | Refusal;

/**
 * The message of one item of a request, or a refusal that names the bad field. `path` is the position of the item in
 * the request.
 */
export function readItem(item: SolanaTransaction, path: string): Read {
  if (item.transaction === undefined) return readStructured(item, path);
  return refused(readTransactionText(item.transaction, item.encoding), `${path}.transaction`);
}

function readStructured({ feePayer = "", instructions = [] }: SolanaTransaction, path: string): Read {
  const keys = [{ at: `${path}.feePayer`, key: feePayer }];
  for (const [i, { programId, keys: accounts, data }] of instructions.entries()) {
    const at = `${path}.instructions[${i}]`;
    keys.push({ at: `${at}.programId`, key: programId });
    keys.push(...accounts.map(({ pubkey }, k) => ({ at: `${at}.keys[${k}].pubkey`, key: pubkey })));
    if (data !== undefined && !isBase64(data)) {
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
