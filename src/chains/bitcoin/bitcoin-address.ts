import { bech32, bech32m } from "@scure/base";
import { fail, ok, type Result } from "../../kernel/result.ts";
import { decodeBase58check } from "../base58.ts";

const PAY_TO_KEY_HASH = 0x00;
const PAY_TO_SCRIPT_HASH = 0x05;
const PAYLOAD_BYTES = 21;

/** The prefix of a segwit address, separator included. The characters of version, program and checksum follow. */
const SEGWIT_PREFIX = "bc1";
const MAX_SEGWIT_LENGTH = 90;
const CHECKSUM_LENGTH = 6;
const MAX_WITNESS_VERSION = 16;

const testnetBase58 = /^[mn2][1-9A-HJ-NP-Za-km-z]{25,34}$/;
const testnetSegwit = /^(tb|bcrt)1/;
const foreignToBech32 = /[^qpzry9x8gf2tvdw0s3jn54khce6mua7l]/;

/**
 * An address of Bitcoin's main network. It is base58check (from 1 or 3) as written, or a segwit address (bc1) in lower
 * case.
 * Witness version 1 is accepted with the 32 bytes of taproot only. Source: BIP-173 and BIP-350 for segwit, BIP-341 for
 * taproot.
 */
export function parseBitcoinAddress(text: string): Result<string> {
  if (text.startsWith("1") || text.startsWith("3")) return parseBase58(text);
  const lower = text.toLowerCase();
  if (lower.startsWith(SEGWIT_PREFIX)) return parseSegwit(text, lower);
  if (testnetSegwit.test(lower) || testnetBase58.test(text))
    return fail("is of a test network (m, n, 2, tb1 or bcrt1), not of the main one");
  return fail("must start with 1, 3 or bc1");
}

function parseBase58(text: string): Result<string> {
  if (text.length < 26 || text.length > 34) return fail(`must have 26 to 34 characters, has ${text.length}`);
  const payload = decodeBase58check(text);
  if (!payload.ok) return payload;
  const { length, 0: version } = payload.value;
  if (length !== PAYLOAD_BYTES) return fail(`must decode to ${PAYLOAD_BYTES} bytes, has ${length}`);
  if (version !== PAY_TO_KEY_HASH && version !== PAY_TO_SCRIPT_HASH) return fail("version byte is not 0x00 or 0x05");
  return ok(text);
}

function parseSegwit(text: string, lower: string): Result<string> {
  if (text !== lower && text !== text.toUpperCase()) return fail("mixes upper and lower case");
  if (lower.length > MAX_SEGWIT_LENGTH) return fail(`must have at most ${MAX_SEGWIT_LENGTH} characters`);
  const data = lower.slice(SEGWIT_PREFIX.length);
  const at = data.search(foreignToBech32);
  if (at >= 0) return fail(`character ${at + 1 + SEGWIT_PREFIX.length} is not bech32 (which has no 1, b, i or o)`);
  if (data.length <= CHECKSUM_LENGTH) return fail("too short: has no witness program");

  const [coder, other] = data.startsWith("q") ? [bech32, bech32m] : [bech32m, bech32];
  const decoded = coder.decodeUnsafe(lower);
  if (!decoded) {
    const wrongKind = other.decodeUnsafe(lower) !== undefined;
    return fail(
      wrongKind ? wrongChecksumKind(data) : "bech32 checksum does not match: a character is wrong or missing",
    );
  }
  const [version = 0, ...words] = decoded.words;
  if (version > MAX_WITNESS_VERSION) return fail(`witness version must be 0 to 16, is ${version}`);
  const program = coder.fromWordsUnsafe(words);
  if (!program) return fail("witness program does not end on a whole byte with zero padding");
  const fault = programFault(version, program.length);
  return fault === undefined ? ok(lower) : fail(fault);
}

function wrongChecksumKind(data: string): string {
  return data.startsWith("q")
    ? "witness version 0 must have the bech32 checksum, has the bech32m one"
    : "witness versions from 1 on must have the bech32m checksum, has the bech32 one";
}

function programFault(version: number, bytes: number): string | undefined {
  if (version === 0 && bytes !== 20 && bytes !== 32) return `version 0 program must have 20 or 32 bytes, has ${bytes}`;
  if (version === 1 && bytes !== 32) return `version 1 program must have 32 bytes, has ${bytes}`;
  if (bytes < 2 || bytes > 40) return `witness program must have 2 to 40 bytes, has ${bytes}`;
  return undefined;
}
