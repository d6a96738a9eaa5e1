import { base58, bech32, bech32m, hex } from "@scure/base";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_ADDRESS_LENGTH, parseAddress } from "../../../src/chains/address.ts";
import { base58check } from "../../../src/chains/base58.ts";
import { type Family, families } from "../../../src/chains/chain.ts";
import { toChecksumAddress } from "../../../src/chains/evm/evm-address.ts";
import { tronHexOf } from "../../../src/chains/tron/tron-address.ts";

fc.configureGlobal({ numRuns: Number(process.env["FC_RUNS"] ?? 200), seed: 20_240_503 });

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

/** How a family writes and reads the bytes of an address, using the library alone. */
interface Spelling {
  readonly family: Family;
  readonly name: string;
  readonly payload: fc.Arbitrary<Uint8Array>;
  readonly write: (payload: Uint8Array) => string;
  readonly read: (text: string) => Uint8Array;
}

const versioned = (version: number) => ({
  payload: bytes(20),
  write: (payload: Uint8Array) => base58check.encode(Uint8Array.of(version, ...payload)),
  read: (text: string) => base58check.decode(text).slice(1),
});

const segwit = (version: number, payload: fc.Arbitrary<Uint8Array>) => {
  const coder = version === 0 ? bech32 : bech32m;
  return {
    payload,
    write: (program: Uint8Array) => coder.encode("bc", [version, ...coder.toWords(program)]),
    read: (text: string) => coder.fromWords(coder.decode(text, 90).words.slice(1)),
  };
};

const checksummed: readonly Spelling[] = [
  { family: "tron", name: "TRON base58check", ...versioned(0x41) },
  { family: "bitcoin", name: "Bitcoin key hash", ...versioned(0x00) },
  { family: "bitcoin", name: "Bitcoin script hash", ...versioned(0x05) },
  { family: "bitcoin", name: "Bitcoin witness key hash", ...segwit(0, bytes(20)) },
  { family: "bitcoin", name: "Bitcoin witness script hash", ...segwit(0, bytes(32)) },
  { family: "bitcoin", name: "Bitcoin taproot", ...segwit(1, bytes(32)) },
  { family: "bitcoin", name: "Bitcoin version 16", ...segwit(16, fc.uint8Array({ minLength: 2, maxLength: 40 })) },
];

const spellings: readonly Spelling[] = [
  ...checksummed,
  {
    family: "evm",
    name: "EVM",
    payload: bytes(20),
    write: (payload) => `0x${hex.encode(payload)}`,
    read: (text) => hex.decode(text.slice(2)),
  },
  { family: "solana", name: "Solana", payload: bytes(32), write: base58.encode, read: base58.decode },
];

test.each(spellings)("$name: bytes -> text -> parse -> bytes", ({ family, payload, write, read }) => {
  fc.assert(
    fc.property(payload, (original) => {
      const text = write(original);

      expect(parseAddress(family, text)).toEqual({ ok: true, value: text });
      expect(read(text)).toEqual(original);
    }),
  );
});

test("TRON: hex in any case and base58 are the same address, both ways", () => {
  fc.assert(
    fc.property(bytes(20), fc.boolean(), (payload, upper) => {
      const text = hex.encode(Uint8Array.of(0x41, ...payload));
      const parsed = parseAddress("tron", upper ? text.toUpperCase() : text);

      expect(parsed.ok && tronHexOf(parsed.value)).toBe(text);
    }),
  );
});

test("EVM and bech32 addresses in upper case are the same addresses", () => {
  fc.assert(
    fc.property(bytes(20), (payload) => {
      const evm = `0x${hex.encode(payload)}`;
      const segwitText = bech32.encode("bc", [0, ...bech32.toWords(payload)]);

      expect(parseAddress("evm", `0x${evm.slice(2).toUpperCase()}`)).toEqual({ ok: true, value: evm });
      expect(parseAddress("bitcoin", segwitText.toUpperCase())).toEqual({ ok: true, value: segwitText });
    }),
  );
});

const printable = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 });

/** A checksum of 30 or 32 bits misses a wrong character once in a billion. The checksum of bech32 never does. */
test.each(checksummed)("$name: a wrong character is refused", ({ family, payload, write }) => {
  fc.assert(
    fc.property(payload, fc.nat(), printable, (original, at, character) => {
      const text = write(original);
      const place = at % text.length;
      fc.pre(text[place] !== character);

      expect(parseAddress(family, text.slice(0, place) + character + text.slice(place + 1)).ok).toBe(false);
    }),
  );
});

test("EVM: a letter in the wrong case is refused wherever case is a checksum", () => {
  fc.assert(
    fc.property(bytes(20), fc.nat(), (payload, at) => {
      const text = toChecksumAddress(`0x${hex.encode(payload)}`);
      const place = 2 + (at % 40);
      const letter = text.charAt(place);
      const swapped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
      const wrong = text.slice(0, place) + swapped + text.slice(place + 1);
      fc.pre(swapped !== letter && /[a-f]/.test(wrong) && /[A-F]/.test(wrong));

      expect(parseAddress("evm", wrong).ok).toBe(false);
      expect(parseAddress("evm", text)).toEqual({ ok: true, value: text.toLowerCase() });
    }),
  );
});

const start = fc.constantFrom("", "0x", "T", "41", "1", "3", "bc1", "BC1", "bc1q", "bc1p", "tb1", "m");
const anyText = fc
  .tuple(start, fc.oneof(fc.string({ maxLength: 99 }), fc.string({ unit: "binary", maxLength: 99 }), fc.base64String()))
  .map(([head, tail]) => head + tail);

test.each(families)("%s: any text is accepted or refused with a reason, and nothing is thrown", (family) => {
  fc.assert(
    fc.property(anyText, (text) => {
      const parsed = parseAddress(family, text);

      if (!parsed.ok) expect(parsed.detail.length).toBeGreaterThan(0);
      else expect(text.length).toBeLessThanOrEqual(MAX_ADDRESS_LENGTH);
    }),
  );
});

test("the canonical form of a canonical form is itself, and no two families share one", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...spellings).chain((spelling) => fc.tuple(fc.constant(spelling), spelling.payload)),
      ([{ family, write }, payload]) => {
        const text = write(payload);
        const accepting = families.filter((other) => {
          const parsed = parseAddress(other, text);
          return parsed.ok && parsed.value === text;
        });

        expect(accepting).toEqual([family]);
      },
    ),
  );
});
