import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTokenStore } from "../../../../src/adapters/sqlite/token-store.ts";
import { ConfigInvalidError } from "../../../../src/kernel/errors.ts";
import { tokenData } from "../../../fakes/token-data.ts";
import { emptyFolder } from "../../../support/folder.ts";

const one = { chainId: "1", address: `0x${"1".repeat(40)}` };
const other = { chainId: "56", address: one.address };

function opened(file: string) {
  const store = openTokenStore(file);
  onTestFinished(() => store.close());
  return store;
}

const newFile = async () => path.join(await emptyFolder(), "tokens.db");

test("kept answers are available to the next process, even when the first was never closed", async () => {
  const file = await newFile();
  opened(file).keep(one, { data: tokenData("First"), madeAtMs: 1_767_225_600_123 });

  const next = opened(file);
  expect(next.find(one)).toEqual({ data: tokenData("First"), madeAtMs: 1_767_225_600_123 });
  expect(next.find(other)).toBeUndefined();
});

test("questions stay open in the order of their arrival, until they are answered or dropped", async () => {
  const file = await newFile();
  const store = opened(file);
  store.open(other);
  store.open(one);
  store.open(other);

  expect(opened(file).opened()).toEqual([other, one]);
  store.keep(other, { data: tokenData(), madeAtMs: 1 });
  expect(opened(file).opened()).toEqual([one]);
  store.drop(one);
  expect(opened(file).opened()).toEqual([]);
});

test("the newest answer of a question counts", async () => {
  const store = opened(await newFile());
  store.keep(one, { data: tokenData("First"), madeAtMs: 1 });
  store.keep(one, { data: tokenData("Second"), madeAtMs: 2 });

  expect(store.find(one)).toEqual({ data: tokenData("Second"), madeAtMs: 2 });
});

test("a file that is no such database is refused, and stays unchanged", async () => {
  const file = await newFile();
  writeFileSync(file, "no database, and longer than a header of one would be".repeat(100));

  expect(() => openTokenStore(file)).toThrow(ConfigInvalidError);
});
