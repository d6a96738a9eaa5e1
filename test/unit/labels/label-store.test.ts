import { expect, test } from "vitest";
import { ConfigInvalidError } from "../../../src/kernel/errors.ts";
import type { Log } from "../../../src/kernel/log.ts";
import type { LabelList } from "../../../src/labels/label-list.ts";
import { LabelStore } from "../../../src/labels/label-store.ts";
import type { LabelSource } from "../../../src/labels/ports.ts";
import { LabelBook } from "../../../src/service/labels/label-book.ts";
import { isAccused, labelOf, listOf } from "../../support/book-of.ts";

const real = labelOf("1", "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91", "malicious");

/** Gives these answers one after the other; an error is thrown. */
class ScriptedSource implements LabelSource<LabelList> {
  readonly #answers: (readonly LabelList[] | Error)[];

  constructor(...answers: readonly (readonly LabelList[] | Error)[]) {
    this.#answers = [...answers];
  }

  async load(): Promise<readonly LabelList[]> {
    const next = this.#answers.shift();
    if (next === undefined || next instanceof Error) throw next ?? new Error("script ended");
    return next;
  }
}

class Lines implements Log {
  readonly lines: unknown[] = [];
  debug = (...line: unknown[]) => void this.lines.push(["debug", ...line]);
  info = (...line: unknown[]) => void this.lines.push(["info", ...line]);
  warn = (...line: unknown[]) => void this.lines.push(["warn", ...line]);
  error = (...line: unknown[]) => void this.lines.push(["error", ...line]);
}

test("a reload replaces the book, and the old book stays unchanged", async () => {
  const store = await LabelStore.open(new ScriptedSource([], [listOf([real])]), LabelBook.steps, new Lines());
  const before = store.book;

  expect(await store.reload()).toBe(true);

  expect(isAccused(before, real.address)).toBe(false);
  expect(isAccused(store.book, real.address)).toBe(true);
});

test("while a book is built, other work runs and sees the old book", async () => {
  const seen: boolean[] = [];
  const pause = async () => void seen.push(store !== undefined && isAccused(store.book, real.address));
  let store: LabelStore<LabelList, LabelBook> | undefined;
  store = await LabelStore.open(new ScriptedSource([], [listOf([real])]), LabelBook.steps, new Lines(), pause);
  const turnsToOpen = seen.length;

  await store.reload();

  expect(turnsToOpen).toBeGreaterThan(0);
  expect(seen.length).toBeGreaterThan(turnsToOpen);
  expect(seen).not.toContain(true);
  expect(isAccused(store.book, real.address)).toBe(true);
});

test("a failed reload keeps the old book and logs the reason", async () => {
  const log = new Lines();
  const source = new ScriptedSource([listOf([real])], new ConfigInvalidError("label file a.csv: gone"), []);
  const store = await LabelStore.open(source, LabelBook.steps, log);
  const before = store.book;

  expect(store.isBehind).toBe(false);
  expect(await store.reload()).toBe(false);

  expect(store.isBehind).toBe(true);
  expect(store.book).toBe(before);
  expect(log.lines.at(-1)).toEqual([
    "error",
    "the changed labels were refused: the previous labels stay in use",
    { code: "CONFIG_INVALID", detail: "label file a.csv: gone" },
  ]);
  expect(await store.reload()).toBe(true);
  expect(store.isBehind).toBe(false);
  expect(store.book).not.toBe(before);
});

test("a list that has lost all its labels is refused, because it may still be being written", async () => {
  const log = new Lines();
  const store = await LabelStore.open(
    new ScriptedSource([listOf([real])], [listOf([])], [listOf([real])]),
    LabelBook.steps,
    log,
  );
  const before = store.book;

  expect(await store.reload()).toBe(false);

  expect(store.book).toBe(before);
  expect(log.lines.at(-1)).toEqual([
    "error",
    "the changed labels were refused: the previous labels stay in use",
    {
      code: "CONFIG_INVALID",
      detail:
        "list holds 0 labels where it held 1: it may be caught while it is written; complete it, or restart to use it as it is",
    },
  ]);
  expect(await store.reload()).toBe(true);
});

test("without a first book there is no store", async () => {
  const opening = LabelStore.open(
    new ScriptedSource(new ConfigInvalidError("label file a.csv: gone")),
    LabelBook.steps,
    new Lines(),
  );

  await expect(opening).rejects.toBeInstanceOf(ConfigInvalidError);
});

test("an error that is not of Weir is not swallowed", async () => {
  const store = await LabelStore.open(new ScriptedSource([], new TypeError("bug")), LabelBook.steps, new Lines());

  await expect(store.reload()).rejects.toBeInstanceOf(TypeError);
});

test("counts are logged, and refused rows up to twenty", async () => {
  const log = new Lines();
  const refused = Array.from({ length: 23 }, (_, i) => ({ line: i + 2, detail: "name: missing" }));

  await LabelStore.open(new ScriptedSource([{ ...listOf([real]), name: "a.csv", refused }]), LabelBook.steps, log);

  expect(log.lines).toHaveLength(22);
  expect(log.lines[0]).toEqual(["info", "a label list was read", { list: "a.csv", labels: 1, refused: 23 }]);
  expect(log.lines[1]).toEqual([
    "warn",
    "a label row was refused",
    { list: "a.csv", line: 2, detail: "name: missing" },
  ]);
  expect(log.lines.at(-1)).toEqual(["warn", "more label rows were refused", { list: "a.csv", count: 3 }]);
});
