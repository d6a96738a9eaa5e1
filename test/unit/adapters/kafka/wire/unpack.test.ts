import { describe, expect, test } from "vitest";
import { unpackLz4 } from "../../../../../src/adapters/kafka/wire/unpack-lz4.ts";
import { unpackSnappy } from "../../../../../src/adapters/kafka/wire/unpack-snappy.ts";

const bytes = (hex: string) => Buffer.from(hex.replaceAll(" ", ""), "hex");

const chunkOf60 = `0000003e 3c ec ${"61".repeat(60)}`;
const twoChunksOf60 = `82534e4150505900 00000001 00000001 ${chunkOf60} ${chunkOf60}`;

describe("snappy", () => {
  const unpack = (hex: string) => unpackSnappy(bytes(hex), 100).toString("latin1");

  test.each([
    ["nothing", "00", ""],
    ["a literal", "03 08 616263", "abc"],
    ["a literal with its length beside it", "03 f0 02 616263", "abc"],
    ["a literal with its length in four bytes", "03 fc 02000000 616263", "abc"],
    ["a copy with a one-byte distance", "07 08 616263 01 03", "abcabca"],
    ["a copy with a two-byte distance", "06 08 616263 0a 0300", "abcabc"],
    ["a copy with a four-byte distance", "06 08 616263 0b 03000000", "abcabc"],
    ["chunks in snappy-java's framing", "82534e4150505900 00000001 00000001 00000003 010061 00000003 010062", "ab"],
    ["snappy-java's framing around nothing", "82534e4150505900 00000001 00000001", ""],
  ])("%s", (_what, hex, text) => expect(unpack(hex)).toBe(text));

  test.each([
    ["nothing at all", "", "ends too early"],
    ["a length without an end", "ffffffffff", "says no readable length"],
    ["more than the limit", "65", "unpacks to 101 bytes, more than 100"],
    ["less than it says", "04 08 616263", "unpacks to less than it says"],
    ["more than it says", "02 08 616263", "unpacks to more than it says"],
    ["a literal that is cut", "03 08 6162", "ends too early"],
    ["a literal that snappyjs goes round in for ever", "03 fc faffffff", "ends too early"],
    ["a copy from before the start", "07 08 616263 01 04", "refers to bytes before its start"],
    ["a copy from where it stands", "07 08 616263 01 00", "refers to bytes before its start"],
    [
      "a copy from the chunk before",
      "82534e4150505900 00000001 00000001 00000003 010061 00000003 040101",
      "refers to bytes before its start",
    ],
    ["a chunk that is cut", "82534e4150505900 00000001 00000001 00000004 010061", "ends too early"],
    ["chunks beyond the limit together", twoChunksOf60, "unpacks to 60 bytes, more than 40"],
  ])("snappy refuses %s", (_what, hex, message) => expect(() => unpack(hex)).toThrow(message));
});

describe("lz4", () => {
  const unpack = (hex: string) => unpackLz4(bytes(hex), 100).toString("latin1");

  test.each([
    ["nothing", "04224d18 60 40 82 00000000", ""],
    ["a stored block", "04224d18 60 40 82 03000080 616263 00000000", "abc"],
    ["a packed block", "04224d18 60 40 82 07000000 31 616263 0300 00 00000000", "abcabcab"],
    ["block checksums", "04224d18 70 40 82 03000080 616263 01020304 00000000", "abc"],
    ["the content's size and checksum", "04224d18 6c 40 0300000000000000 82 03000080 616263 00000000 01020304", "abc"],
    [
      "a block that refers to the one before",
      "04224d18 40 40 82 03000080 616263 04000000 00 0300 00 00000000",
      "abcabca",
    ],
    ["a long literal", `04224d18 60 40 82 15000000 f0 04 ${"61".repeat(19)} 00000000`, "a".repeat(19)],
  ])("%s", (_what, hex, text) => expect(unpack(hex)).toBe(text));

  test.each([
    ["nothing at all", "", "ends too early"],
    ["something else", "1f8b0800 60 40 82 00000000", "is no LZ4 frame"],
    ["another version", "04224d18 a0 40 82 00000000", "is an LZ4 frame of another version"],
    ["a dictionary", "04224d18 61 40 00000000 82 00000000", "needs a dictionary"],
    ["a frame without an end", "04224d18 60 40 82 03000080 616263", "ends too early"],
    ["a block that is cut", "04224d18 60 40 82 04000080 616263", "ends too early"],
    [
      "a match before the start",
      "04224d18 60 40 82 07000000 31 616263 0400 00 00000000",
      "refers to bytes before its start",
    ],
    [
      "a match at distance 0",
      "04224d18 60 40 82 07000000 31 616263 0000 00 00000000",
      "refers to bytes before its start",
    ],
    ["more than the limit", "04224d18 60 40 82 06000000 1f 61 0100 ff 00 00000000", "unpacks to more than 100 bytes"],
    ["what follows its end", "04224d18 60 40 82 00000000 00", "goes on after its end"],
  ])("lz4 refuses %s", (_what, hex, message) => expect(() => unpack(hex)).toThrow(message));
});
