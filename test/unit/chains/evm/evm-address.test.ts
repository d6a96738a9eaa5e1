import { describe, expect, test } from "vitest";
import { canonicalAddressOn, parseAddressOn } from "../../../../src/chains/address.ts";
import { parseEvmAddress, toChecksumAddress } from "../../../../src/chains/evm/evm-address.ts";

/** The test cases of EIP-55. */
const checksummed = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

test.each(checksummed)("%s is accepted and written in lower case", (text) => {
  expect(parseEvmAddress(text)).toEqual({ ok: true, value: text.toLowerCase() });
});

test.each(checksummed)("%s is accepted without a checksum, in either case", (text) => {
  const value = text.toLowerCase();

  expect(parseEvmAddress(value)).toEqual({ ok: true, value });
  expect(parseEvmAddress(`0x${text.slice(2).toUpperCase()}`)).toEqual({ ok: true, value });
});

test.each(checksummed)("%s is the checksum form of its canonical form", (text) => {
  expect(toChecksumAddress(text.toLowerCase())).toBe(text);
});

test("an address of digits alone has no letters to check", () => {
  const text = "0x0000000000000000000000000000000000000001";

  expect(parseEvmAddress(text)).toEqual({ ok: true, value: text });
});

test.each([
  ["", "must start with 0x"],
  ["vitalik.eth", "must start with 0x"],
  ["5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "must start with 0x"],
  ["0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "must start with 0x"],
  [" 0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "must start with 0x"],
  ["0x", "must have 40 hex digits after 0x, has 0"],
  ["0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae", "must have 40 hex digits after 0x, has 39"],
  ["0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed0", "must have 40 hex digits after 0x, has 41"],
  ["0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeg", "character 42 is not a hex digit"],
  ["0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed\n", "character 43 is not a hex digit"],
  ["0xo", "character 3 is not a hex digit"],
  ["0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "EIP-55 checksum does not match: check each letter and its case"],
  ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee", "EIP-55 checksum does not match: check each letter and its case"],
])("%j is refused: %s", (text, detail) => {
  expect(parseEvmAddress(text)).toEqual({ ok: false, detail });
});

describe("on a chain with a checksum of its own", () => {
  /** The test cases of EIP-1191. */
  const own = {
    "30": [
      "0x27b1FdB04752BBc536007A920D24ACB045561c26",
      "0x3599689E6292B81B2D85451025146515070129Bb",
      "0x42712D45473476B98452f434E72461577d686318",
      "0x52908400098527886E0F7030069857D2E4169ee7",
      "0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD",
      "0x6549F4939460DE12611948B3F82B88C3C8975323",
      "0x66F9664f97f2B50F62d13EA064982F936de76657",
      "0x8617E340b3D01Fa5f11f306f4090fd50E238070D",
      "0x88021160c5C792225E4E5452585947470010289d",
      "0xD1220A0Cf47c7B9BE7a2e6ba89F429762E7B9adB",
      "0xDBF03B407c01E7CD3cBea99509D93F8Dddc8C6FB",
      "0xDe709F2102306220921060314715629080e2FB77",
      "0xFb6916095cA1Df60bb79ce92cE3EA74c37c5d359",
    ],
    "31": [
      "0x27B1FdB04752BbC536007a920D24acB045561C26",
      "0x3599689e6292b81b2D85451025146515070129Bb",
      "0x42712D45473476B98452F434E72461577D686318",
      "0x52908400098527886E0F7030069857D2e4169EE7",
      "0x5aAeb6053F3e94c9b9A09F33669435E7EF1BEaEd",
      "0x6549f4939460dE12611948b3f82b88C3c8975323",
      "0x66f9664F97F2b50f62d13eA064982F936DE76657",
      "0x8617e340b3D01fa5F11f306F4090Fd50e238070d",
      "0x88021160c5C792225E4E5452585947470010289d",
      "0xd1220a0CF47c7B9Be7A2E6Ba89f429762E7b9adB",
      "0xdbF03B407C01E7cd3cbEa99509D93f8dDDc8C6fB",
      "0xDE709F2102306220921060314715629080e2Fb77",
      "0xFb6916095CA1dF60bb79CE92ce3Ea74C37c5D359",
    ],
  };
  const on = (id: string) => ({ id, family: "evm" }) as const;
  const cases = Object.entries(own).flatMap(([id, texts]) => texts.map((text) => [id, text] as const));

  test.each(cases)("%s, %s is valid, and so is its canonical form", (id, text) => {
    const value = text.toLowerCase();
    expect(toChecksumAddress(value, id)).toBe(text);
    expect(parseAddressOn(on(id), text)).toEqual({ ok: true, value });
    expect(canonicalAddressOn(on(id), text)).toBe(value);
    expect(canonicalAddressOn(on(id), value)).toBe(value);
  });

  test.each(cases)("%s, %s is not valid on another chain", (_id, text) => {
    // Some spellings are also right by EIP-55. One spelling has no lower-case letter and so no checksum.
    const isOfBoth = toChecksumAddress(text.toLowerCase()) === text || !/[a-f]/.test(text.slice(2));
    expect(parseAddressOn(on("1"), text).ok).toBe(isOfBoth);
    expect(parseEvmAddress(text).ok).toBe(isOfBoth);
  });

  test.each(["30", "31"])("%s the checksum of EIP-55 is valid too", (id) => {
    for (const text of checksummed) expect(parseAddressOn(on(id), text)).toMatchObject({ ok: true });
  });

  test.each(["30", "31"])("%s a spelling that is wrong by both checksums is refused", (id) => {
    const text = "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const detail = "EIP-55 and EIP-1191 checksums do not match: check each letter and its case";
    expect(parseAddressOn(on(id), text)).toEqual({ ok: false, detail });
    expect(canonicalAddressOn(on(id), text)).toBeUndefined();
  });

  test.each(["", "0x", "x".repeat(101)])("%# another fault is reported as on every chain", (text) => {
    expect(parseAddressOn(on("30"), text)).toEqual(parseAddressOn(on("1"), text));
    expect(parseAddressOn(on("30"), text).ok).toBe(false);
  });
});

test("a chain of another family accepts only its own form", () => {
  const text = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
  expect(canonicalAddressOn({ id: "tron", family: "tron" }, text)).toBe(text);
  expect(
    canonicalAddressOn({ id: "30", family: "tron" }, "0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD"),
  ).toBeUndefined();
});
