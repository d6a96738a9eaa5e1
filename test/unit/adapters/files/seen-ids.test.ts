import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { SeenIds } from "../../../../src/adapters/files/seen-ids.ts";
import { OutputUnwritableError } from "../../../../src/kernel/errors.ts";
import { sha256 } from "../../../../src/kernel/sha256.ts";
import { emptyFolder } from "../../../support/folder.ts";

/** Ids of which memory holds no more than the last. */
const MANY = 600_000;
/** From which on the first are in the file. */
const FORGET = 2 * 196_608;

const times = (count: number) => Array.from({ length: count }, (_, i) => i);
const hex = (number: number) => (number >>> 0).toString(16).padStart(8, "0");
const spread = (i: number) => hex(Math.imul(i + 1, 2_654_435_761));
/** Different ones, evenly spread in each of the words that are kept. */
const idOf = (i: number) => `${spread(i)}${spread(i + 7_000_000)}${spread(i + 14_000_000)}${hex(i)}`.padEnd(64, "0");

async function seenIds() {
  const folder = await emptyFolder();
  return { folder, ids: new SeenIds(path.join(folder, "ids.tmp")) };
}

test("an id is new once", async () => {
  const { ids } = await seenIds();

  expect(["a", "b", "a", "c", "b"].map((text) => ids.add(sha256(text)))).toEqual([true, true, false, true, false]);
});

test("ids that share a slot are told apart", async () => {
  const { ids } = await seenIds();
  const distinct = times(100).map((i) => `00000001${hex(i)}`.padEnd(64, "0"));

  expect(distinct.map((id) => ids.add(id))).toEqual(new Array(100).fill(true));
  expect(distinct.map((id) => ids.add(id))).toEqual(new Array(100).fill(false));
});

test("none is taken for another, and none is forgotten, however far back it was", async () => {
  const { ids } = await seenIds();
  let taken = 0;
  for (let i = 0; i < MANY; i++) if (!ids.add(idOf(i))) taken++;
  expect(taken).toBe(0);

  let forgotten = 0;
  for (let i = 0; i < MANY; i += 7) if (ids.add(idOf(i))) forgotten++;
  expect(forgotten).toBe(0);
  expect(ids.add(idOf(MANY))).toBe(true);
  ids.close();
});

test("in the file, too, ids that share a slot at its end are told apart, and from one that differs in the last word only", async () => {
  const { ids } = await seenIds();
  const last = times(100).map((i) => `0003ffff${hex(i)}${hex(7)}${hex(i)}`.padEnd(64, "0"));
  for (const id of last) ids.add(id);
  for (let i = 0; i < FORGET; i++) ids.add(idOf(i));

  const other = `0003ffff${hex(5)}${hex(7)}${hex(4_000_000_000)}`.padEnd(64, "0");
  expect([ids.add(other), ids.add(other)]).toEqual([true, false]);
  expect(last.map((id) => ids.add(id))).toEqual(new Array(100).fill(false));
  ids.close();
});

test("the file has no name, and there is none before memory is full", async () => {
  const { ids, folder } = await seenIds();
  for (let i = 0; i < FORGET; i++) ids.add(idOf(i));

  expect(await readdir(folder)).toEqual([]);
  ids.close();
});

test("a file that cannot be made is told", async () => {
  const ids = new SeenIds(path.join(await emptyFolder(), "nowhere", "ids.tmp"));
  const fill = (from: number, to: number) => {
    for (let i = from; i < to; i++) ids.add(idOf(i));
  };

  fill(0, FORGET - 1);
  expect(() => fill(FORGET - 1, FORGET)).toThrow(OutputUnwritableError);
});
