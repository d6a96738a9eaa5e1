import { beforeAll, describe, expect, test } from "vitest";
import { LabelFiles } from "../../../../src/adapters/files/labels/label-files.ts";
import { bundled } from "../../../../src/cli/program/package-root.ts";
import { seededRandom } from "../../../../src/kernel/retry.ts";
import type { AddressLabel, Label } from "../../../../src/labels/label.ts";
import { gatherToken } from "../../../../src/service/address-poisoning/gather.ts";
import { judgeToken } from "../../../../src/service/address-poisoning/judge.ts";
import { CONFUSABLES } from "../../../../src/service/labels/confusables.generated.ts";
import { LabelBook } from "../../../../src/service/labels/label-book.ts";
import { bookOf, labelOf, listOf } from "../../../support/book-of.ts";
import { pick, randomAddress } from "../../../support/random-addresses.ts";

const random = seededRandom(7);
const tether = { ...labelOf("1", randomAddress("evm", random), "token", "USDT"), fullName: "Tether USD" };

test.each([
  ["the same symbol", ["USDT"]],
  ["the same name", ["", "Tether USD"]],
  ["a Cyrillic Te", ["USD\u0422"]],
  ["fullwidth letters", ["\uff35\uff33\uff24\uff34"]],
  ["a zero-width space", ["US\u200bDT"]],
  ["only the name", ["FREE", "Te\u0442her USD"]],
])("a contract with %s imitates a well-known token", (_what, names) => {
  expect(bookOf(tether).tokenNamedLike(tether.chain, names)).toEqual(tether);
});

test.each([
  ["another name", ["USDC", "USD Coin"]],
  ["no name", []],
  ["nothing to see in its name", ["\u200b", " "]],
  ["a symbol that only begins like it", ["USDT0"]],
])("a contract with %s imitates no token", (_what, names) => {
  expect(bookOf(tether).tokenNamedLike(tether.chain, names)).toBeUndefined();
});

test("names are compared with tokens of the same chain only", () => {
  expect(bookOf(tether).tokenNamedLike(labelOf("56", tether.address, "token").chain, ["USDT"])).toBeUndefined();
});

test("a token of a long list is imitated by a disguised name, and not by its plain symbol", () => {
  const others = Array.from({ length: 128 }, (_, i) => labelOf("1", randomAddress("evm", random), "token", `T${i}`));
  const book = LabelBook.of([listOf([{ ...tether, name: "CAT" }, ...others])]);

  expect(book.tokenNamedLike(tether.chain, ["CAT"])).toBeUndefined();
  expect(book.tokenNamedLike(tether.chain, ["C\u0410T"])?.name).toBe("CAT");
});

describe("names compared with the bundled tokens", () => {
  let book: LabelBook;
  let best: readonly AddressLabel[];
  let tokens: readonly AddressLabel[];
  beforeAll(async () => {
    const lists = await new LabelFiles(bundled.labels, bundled.labels).load();
    const tokensOf = (labels: Iterable<Label>) =>
      [...labels].filter((label): label is AddressLabel => label.kind === "token");
    book = LabelBook.of(lists);
    best = tokensOf(lists[0]?.labels ?? []);
    tokens = lists.flatMap(({ labels }) => tokensOf(labels));
  });
  const isImitation = (label: AddressLabel, names: readonly string[]) =>
    judgeToken(gatherToken(label, book, names)).isPoisoning;

  test("no listed token is an imitation by its own symbol and name", () => {
    expect(tokens.length).toBeGreaterThan(13_000);
    expect(tokens.filter((label) => isImitation(label, [label.name, label.fullName ?? ""]))).toEqual([]);
  });

  /** Characters outside ASCII that UTS #39 draws like each ASCII character. */
  function lookalikesOf(): ReadonlyMap<string, readonly string[]> {
    const found = new Map<string, string[]>();
    for (const word of CONFUSABLES.replaceAll("\n", "").split(";")) {
      const [to = "", from = ""] = word.split(":");
      const prototype = String.fromCodePoint(...to.split("+").map((digits) => Number.parseInt(digits, 36)));
      let codePoint = 0;
      for (const step of from.split(",")) {
        codePoint += Number.parseInt(step, 36);
        if (codePoint > 127) found.set(prototype, [...(found.get(prototype) ?? []), String.fromCodePoint(codePoint)]);
      }
    }
    return found;
  }
  const invisible = ["\u200b", "\u200d", "\u2060", "\u00ad", "\ufe0f", "\u{e0041}"];

  /** `text` with homoglyphs, invisible characters or another width, so that at least one character is not ASCII. */
  function disguised(text: string, lookalikes: ReadonlyMap<string, readonly string[]>): string {
    const way = Math.floor(random() * 3);
    const at = Math.floor(random() * text.length);
    if (way === 0) return `${text.slice(0, at)}${pick(invisible, random)}${text.slice(at)}`;
    if (way === 1) return text.replaceAll(/[!-~]/g, (c) => String.fromCodePoint(c.charCodeAt(0) + 0xfee0));
    const swapped = [...text].map((c) =>
      lookalikes.has(c) && random() < 0.6 ? pick(lookalikes.get(c) ?? [c], random) : c,
    );
    return `${swapped.join("")}\u200c`;
  }

  test("at least 95 % of 3,500 disguised symbols and names of the best-known tokens are found", () => {
    const lookalikes = lookalikesOf();
    const variants = best.flatMap((label) =>
      Array.from({ length: 20 }, (_, i) => {
        const text = i % 2 === 0 || label.fullName === undefined ? label.name : label.fullName;
        return { label, variant: disguised(text, lookalikes) };
      }),
    );
    const stranger = randomAddress("evm", random);
    const missed = variants.filter(({ label, variant }) => !isImitation({ ...label, address: stranger }, [variant]));

    expect(variants.length).toBe(3_500);
    expect(missed.map(({ variant }) => variant)).toEqual([]);
  });

  test("a plain symbol that no list of the chain has is no imitation", () => {
    const taken = new Set(tokens.flatMap(({ name, fullName }) => [name.toUpperCase(), (fullName ?? "").toUpperCase()]));
    const invented = Array.from({ length: 5_000 }, () =>
      Array.from({ length: 3 + Math.floor(random() * 4) }, () => pick([..."ABCDEFGHJKLMNPQRSTUVWXYZ"], random)).join(
        "",
      ),
    ).filter((symbol) => !taken.has(symbol));
    const [chain] = best;
    if (chain === undefined) throw new Error("no tokens");
    const stranger = { ...chain, address: randomAddress("evm", random) };

    expect(invented.length).toBeGreaterThan(4_000);
    expect(invented.filter((symbol) => isImitation(stranger, [symbol]))).toEqual([]);
  });
});
