import { expect, test } from "vitest";
import { PartsSha256, RunningSha256, sha256, sha256Aside, sha256Bytes, sha256Of } from "../../../src/kernel/hash.ts";

test("the digest matches FIPS 180-4 for text and bytes alike", () => {
  const known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  expect(sha256("abc")).toBe(known);
  expect(sha256(new Uint8Array([0x61, 0x62, 0x63]))).toBe(known);
});

test("the digest as bytes equals the digest as text, for any length", () => {
  for (let length = 0; length < 200; length++) {
    const data = Uint8Array.from({ length }, (_, i) => (i * 37 + length) % 256);

    expect(Buffer.from(sha256Bytes(data)).toString("hex")).toBe(sha256(data));
    expect(sha256Bytes(data)).toHaveLength(32);
  }
});

test("the digest on another thread is equal, also for a part of a buffer", async () => {
  const data = Buffer.from("xabcx").subarray(1, 4);

  expect(await sha256Aside(data)).toBe(sha256("abc"));
});

test("the digest of pieces equals the digest of the whole", () => {
  const running = new RunningSha256();
  for (const piece of ["a", "", new Uint8Array([0x62]), "c"]) running.add(piece);

  expect(running.digest()).toBe(sha256("abc"));
  expect(new RunningSha256().digest()).toBe(sha256(""));
});

test("text is hashed as UTF-8", () => {
  expect(sha256("€")).toBe(sha256(new Uint8Array([0xe2, 0x82, 0xac])));
});

test("a part is preceded by its length in eight bytes, big-endian", () => {
  const framed = new Uint8Array([0, 0, 0, 0, 0, 0, 0, 2, 0x61, 0x62, 0, 0, 0, 0, 0, 0, 0, 1, 0x63]);

  expect(sha256Of(["ab", "c"])).toBe(sha256(framed));
});

test("the length counts bytes, not characters", () => {
  expect(sha256Of(["€"])).toBe(sha256(new Uint8Array([0, 0, 0, 0, 0, 0, 0, 3, 0xe2, 0x82, 0xac])));
});

test("no two different lists of parts hash alike", () => {
  const lists = [[], [""], ["", ""], ["abc"], ["ab", "c"], ["a", "bc"], ["", "abc"], ["abc", ""], ["a", "b", "c"]];

  expect(new Set(lists.map((parts) => sha256Of(parts))).size).toBe(lists.length);
});

test("text and its bytes are the same part", () => {
  expect(sha256Of(["weir", Buffer.from("é")])).toBe(sha256Of([Buffer.from("weir"), "é"]));
});

test("parts made of pieces hash like whole parts, one list after another", () => {
  const hash = new PartsSha256();
  const hashed = (...parts: readonly (readonly (string | Uint8Array)[])[]) => {
    for (const pieces of parts) {
      hash.begin();
      for (const piece of pieces) hash.add(piece);
    }
    return hash.digest();
  };
  const [long, longer] = ["é".repeat(40), "a€".repeat(5_000)];

  expect(hashed(["ab", "c"], ["d"])).toBe(sha256Of(["abc", "d"]));
  expect(hashed(["ab"], ["cd"])).not.toBe(hashed(["abc"], ["d"]));
  expect(hashed(["x", long, "", "z"], [])).toBe(sha256Of([`x${long}z`, ""]));
  expect(hashed([longer, Uint8Array.of(1, 2), long])).toBe(sha256Of([Buffer.from(`${longer}\u0001\u0002${long}`)]));
  expect(hashed(["ab", "c"], ["d"])).toBe(sha256Of(["abc", "d"]));
});

test("parts that were cleared are in no hash", () => {
  const hash = new PartsSha256();
  hash.begin();
  hash.add("torn");
  hash.clear();
  hash.begin();
  hash.add("ab");

  expect(hash.digest()).toBe(sha256Of(["ab"]));
});
