/** Instructions that the analysis distinguishes by number. Source: Ethereum yellow paper, appendix H. */
export const opcode = {
  stop: 0x00,
  codesize: 0x38,
  codecopy: 0x39,
  jumpdest: 0x5b,
  push0: 0x5f,
  push32: 0x7f,
  call: 0xf1,
  callcode: 0xf2,
  return: 0xf3,
  delegatecall: 0xf4,
  create: 0xf0,
  create2: 0xf5,
  invalid: 0xfe,
  selfdestruct: 0xff,
} as const;

/** Larger code is no contract. The limit of a deployed contract is 24,576 bytes, and of creation code twice that. */
export const MAX_CODE_BYTES = 1 << 20;

/** Bytes of hex text, with or without 0x. Surrounding white space is ignored. Undefined for other text. */
export function parseHex(text: string): Uint8Array | undefined {
  const digits = text.trim().replace(/^0x/i, "");
  if (digits.length % 2 !== 0 || digits.length > MAX_CODE_BYTES * 2 || !/^[0-9a-fA-F]*$/.test(digits)) return undefined;
  const bytes = new Uint8Array(digits.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16);
  return bytes;
}

export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** The number in `size` bytes at `from`. Bytes after the end count as zero, as in the EVM. */
export function numberAt(code: Uint8Array, from: number, size: number): bigint {
  let value = 0n;
  for (let at = 0; at < size; at++) value = (value << 8n) | BigInt(code[from + at] ?? 0);
  return value;
}

/** First bytes of the metadata that solc appends: a CBOR map that begins with one of these keys. */
const metadataKeys = ["ipfs", "bzzr0", "bzzr1", "solc", "experimental"];

/**
 * Number of bytes before the CBOR metadata that solc appends. The last two bytes hold the length of the metadata,
 * without these two bytes. Code without such metadata counts as a whole. Source: Solidity documentation, "Contract
 * Metadata".
 */
export function codeLength(code: Uint8Array): number {
  if (code.length < 4) return code.length;
  const size = Number(numberAt(code, code.length - 2, 2));
  const start = code.length - 2 - size;
  if (start < 0 || size < 4 || ((code[start] ?? 0) & 0xf0) !== 0xa0) return code.length;
  const keyLength = (code[start + 1] ?? 0) - 0x60;
  if (keyLength < 1 || keyLength > 23) return code.length;
  const key = String.fromCharCode(...code.subarray(start + 2, start + 2 + keyLength));
  return metadataKeys.includes(key) ? start : code.length;
}

/** Valid jump targets: a JUMPDEST that is not data of a PUSH. */
export function jumpTargets(code: Uint8Array): ReadonlySet<number> {
  const targets = new Set<number>();
  for (const [offset, op] of instructions(code, code.length)) if (op === opcode.jumpdest) targets.add(offset);
  return targets;
}

/** Offset and number of each instruction in order, without the data of PUSH. */
export function* instructions(code: Uint8Array, end = codeLength(code)): Generator<readonly [number, number]> {
  for (let at = 0; at < end; at++) {
    const op = code[at] ?? 0;
    yield [at, op];
    if (op > opcode.push0 && op <= opcode.push32) at += op - opcode.push0;
  }
}
