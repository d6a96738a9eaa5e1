import { parseAddress } from "../../chains/address.ts";
import type { SolanaEmulateRequest, SolanaEmulateResponse, SolanaTransaction } from "../../contract/solana-emulate.ts";
import { type Answer, refuse } from "../answer.ts";
import { unsupported } from "../subject.ts";

/** Longest serialized transaction accepted, in characters of its text; base58 decoding is quadratic. A packet holds 1,232 bytes. */
const MAX_TEXT = { base64: 65_536, base58: 1_683 } as const;
const ALPHABET = {
  base64: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  base58: /^[1-9A-HJ-NP-Za-km-z]+$/,
} as const;

/** Checks every key and payload. There is no Solana simulator yet, so the chain is then unsupported. */
export function emulate(request: SolanaEmulateRequest): Answer<SolanaEmulateResponse> {
  for (const [i, transaction] of request.sol_transactions.entries()) {
    const refusal = check(transaction, `sol_transactions[${i}]`);
    if (refusal !== undefined) return refusal;
  }
  return unsupported("solana");
}

function check(item: SolanaTransaction, path: string): Answer<never> | undefined {
  if (item.transaction !== undefined) return checkText(item.transaction, item.encoding, `${path}.transaction`);
  const keys = [{ path: `${path}.feePayer`, key: item.feePayer ?? "" }];
  for (const [i, instruction] of (item.instructions ?? []).entries()) {
    const at = `${path}.instructions[${i}]`;
    keys.push({ path: `${at}.programId`, key: instruction.programId });
    keys.push(...instruction.keys.map(({ pubkey }, k) => ({ path: `${at}.keys[${k}].pubkey`, key: pubkey })));
    if (instruction.data === undefined || ALPHABET.base64.test(instruction.data)) continue;
    return refuse("schemaMismatch", `${at}.data: not valid base64`);
  }
  for (const { path: at, key } of keys) {
    const parsed = parseAddress("solana", key);
    if (!parsed.ok) return refuse("invalidAddress", `${at}: ${parsed.detail}`);
  }
  return undefined;
}

function checkText(text: string, encoding: "base64" | "base58", path: string): Answer<never> | undefined {
  if (text.length === 0) return refuse("schemaMismatch", `${path}: must not be empty`);
  if (text.length > MAX_TEXT[encoding]) {
    return refuse("schemaMismatch", `${path}: longer than ${MAX_TEXT[encoding]} characters of ${encoding}`);
  }
  return ALPHABET[encoding].test(text) ? undefined : refuse("schemaMismatch", `${path}: not valid ${encoding}`);
}
