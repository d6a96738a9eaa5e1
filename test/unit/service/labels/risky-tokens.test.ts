import { describe, expect, test } from "vitest";
import { readLabelList } from "../../../../src/labels/label-list.ts";
import { gatherTarget, gatherToken } from "../../../../src/service/address-poisoning/gather.ts";
import { judgeTarget, judgeToken } from "../../../../src/service/address-poisoning/judge.ts";
import { UserAddresses } from "../../../../src/service/address-poisoning/user-addresses.ts";
import { LabelBook } from "../../../../src/service/labels/label-book.ts";
import { bookOf, labelOf, listOf } from "../../../support/book-of.ts";

const real = labelOf("1", "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91", "exchange", "Exchange");
const lookalike = labelOf("1", "0xd9a1c3788d81257612e2581a6ea0ada244853a91", "exchange", "Lookalike");
const tether = labelOf("1", "0xdac17f958d2ee523a2206206994597c13d831ec7", "token", "USDT");
const copy = labelOf("1", "0x1111111111111111111111111111111111111111", "token", "USDT");
const accusing = [
  ["risk 4", { ...lookalike, riskLevel: 4 }],
  ["risk 2", { ...lookalike, riskLevel: 2 }],
  ["a risk on another chain", { ...labelOf("56", lookalike.address, "protocol"), riskLevel: 5 }],
  ["a block", labelOf("56", lookalike.address, "blocked")],
  ["sanctions", labelOf("1", lookalike.address, "sanctioned")],
] as const;

describe("address poisoning", () => {
  const target = { chain: real.chain, address: lookalike.address };
  const judged = (book: LabelBook) => judgeTarget(gatherTarget(target, new UserAddresses([]), book));

  test("a labelled address that no label doubts imitates nothing", () => {
    expect(judged(bookOf(real, lookalike)).isPoisoning).toBe(false);
  });

  test.each(accusing)("a labelled lookalike is not excused because of %s", (_what, label) => {
    expect(judged(bookOf(real, lookalike, label))).toMatchObject({ isPoisoning: true, imitated: { name: "Exchange" } });
  });

  test("an address that an operator allows is still an imitation", () => {
    const allowed = labelOf("1", lookalike.address, "allowed");

    expect(judged(bookOf(real, allowed)).imitated?.name).toBe("Exchange");
  });

  test.each(["malicious", "blocked"] as const)("a %s address is poisoning, whatever other labels say", (kind) => {
    const labels = bookOf(
      lookalike,
      labelOf("56", lookalike.address, kind),
      labelOf("1", lookalike.address, "allowed"),
    );

    expect(judged(labels).isPoisoning).toBe(true);
    expect(judgeToken(gatherToken(target, labels)).isPoisoning).toBe(true);
  });

  test.each([2, 3, 4, 5] as const)("a token label of risk %i does not excuse a copied symbol", (riskLevel) => {
    const book = bookOf(tether, { ...copy, riskLevel });

    expect(judgeToken(gatherToken(copy, book, ["USDT"])).imitated?.address).toBe(tether.address);
  });
});

describe("a token that labels accuse", () => {
  const fake = { ...copy, riskLevel: 5 as const };
  const stranger = labelOf("1", "0x2222222222222222222222222222222222222222", "token").address;

  test("an accused token is imitated by no name, and the genuine token of that name is", () => {
    expect(bookOf(fake).tokenNamedLike(fake.chain, ["USDT"])).toBeUndefined();
    for (const name of ["USDT", "$USDT", "USD\u20ae"]) {
      expect(bookOf(fake, tether).tokenNamedLike(fake.chain, [name])?.address).toBe(tether.address);
    }
  });

  test("an accused token does not count as a second original of a renowned symbol", () => {
    const others = Array.from({ length: 128 }, (_, i) =>
      labelOf("8453", `0x${String(i).padStart(40, "0")}`, "token", `T${i}`),
    );
    const short = ["1", "10", "56", "137", "42161", "43114", "250", "100", "324", "59144"].map((id) =>
      labelOf(id, tether.address, "token", "USDT"),
    );
    const original = labelOf("8453", "0xfde4c96c8593536e31f229ea8f37b2ada2699bb2", "token", "USDT");
    const second = { ...labelOf("8453", copy.address, "token", "USDT"), riskLevel: 5 as const };
    const book = LabelBook.of([listOf(short), listOf([original, second, ...others])]);

    expect(book.tokenNamedLike(original.chain, ["USDT"])?.address).toBe(original.address);
  });

  test("a later row of its list accuses a token, even after a harmless row", () => {
    const row = { chain: "1", address: stranger, name: "GOLD", kind: "token" };
    const rows = [row, { ...row, risk_level: "5" }].map((each, i) => ({ line: i + 2, row: each }));
    const book = LabelBook.of([readLabelList("tokens", rows)]);

    expect(book.riskOf(fake.chain, stranger)).toBe(5);
    expect(book.isWellKnown(fake.chain, stranger)).toBe(false);
  });
});
