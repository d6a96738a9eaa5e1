import { expect, test } from "vitest";
import { families } from "../../../../src/chains/chain.ts";
import { addressIn } from "../../../../src/messages/unread/address-in-text.ts";

const addresses = {
  evm: ["0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91"],
  tron: ["TA9SJtzNUWiU6JzyS3kEQuRHRkPsitspmo", "4101d3b1b0b1e1ae382dbdc898ea68012ffcb2853a"],
  // The shortest address of Solana is the system program.
  solana: ["4yfu48qwim7hGzD3Nphzd2A6ThydzysfKi4wBPFSgnhY", "1".repeat(32)],
  bitcoin: [
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
    "1BoatSLRHtKNngkdXEeobR76b53LETtpyT",
  ],
} as const;

test.each(families)(
  "an address of %s is found as a whole at any position, and for no family with another form",
  (family) => {
    for (const address of addresses[family]) {
      for (const text of [
        address,
        `x ${address}`,
        `${address};y`,
        `eip155:1:${address}`,
        `["${address}"]`,
        `_${address}_`,
      ]) {
        for (const other of families) {
          // TRON nodes also write the 20 bytes of an address behind 0x.
          const isRead = other === family || (other === "tron" && family === "evm");
          expect([text, other, addressIn(text, other)]).toEqual([text, other, isRead ? "whole" : undefined]);
        }
      }
      for (const text of [`a${address}`, `${address}0`, address.slice(1), address.slice(0, -1)]) {
        if (family !== "solana") expect([text, addressIn(text, family)]).toEqual([text, undefined]);
      }
    }
  },
);

test.each([
  ["a hash", `0x${"ab".repeat(32)}`],
  ["a hash without its prefix", "ab".repeat(32)],
  ["a number", "9".repeat(40)],
  ["a hash that begins with 22 zeros", `0x${"0".repeat(22)}${"ab".repeat(21)}`],
  ["a number in a word of the machine", `0x${(10n ** 20n).toString(16).padStart(64, "0")}`],
  ["a number in a word without its prefix", (2n ** 96n - 1n).toString(16).padStart(64, "0")],
  ["39 digits", "a".repeat(39)],
  ["41 digits", "a".repeat(41)],
  ["an id", "3f6c1f0e-8a52-4b5c-9a55-4ad8f0f4b7c1"],
  ["a signature of Solana", "5".repeat(88)],
  ["letters beyond ASCII", "\u00e9".repeat(42)],
])("%s is no address", (_what, text) => {
  for (const family of families) {
    // Forty digits without a zero are base58 of less than 32 bytes.
    expect([family, addressIn(text, family)]).toEqual([family, undefined]);
  }
});

test.each(["0x", "0x41", "41", "0X"])("the 20 bytes of a TRON address are found in hex behind %s", (prefix) => {
  expect(addressIn(`to=${prefix}01d3b1b0b1e1ae382dbdc898ea68012ffcb2853a`, "tron")).toBe("whole");
});

test("a wrong checksum does not hide an EVM address", () => {
  for (const address of addresses.evm) {
    expect(addressIn(address.replace("A", "a"), "evm")).toBe("whole");
    expect(addressIn(address.toUpperCase(), "evm")).toBe("whole");
  }
});

const digits = addresses.evm[0].slice(2);

test.each([digits, digits.toLowerCase(), digits.toUpperCase(), `to:${digits};`])(
  "40 hex digits without 0x, as in %s, may be an EVM address and may be a hash",
  (text) => {
    expect(families.map((family) => addressIn(text, family))).toEqual(
      families.map((family) => (family === "evm" ? "bare" : undefined)),
    );
  },
);

test.each(["0x", "0X", ""])("an EVM address that is padded with zeros to 32 bytes is found, behind %j", (prefix) => {
  expect(addressIn(`${prefix}${"0".repeat(24)}${digits}`, "evm")).toBe("whole");
});

test("a whole address is found beside bare digits", () => {
  expect(addressIn(`${digits} ${addresses.evm[0]}`, "evm")).toBe("whole");
});
