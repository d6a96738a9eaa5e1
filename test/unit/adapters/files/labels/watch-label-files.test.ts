import { appendFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { LabelFiles } from "../../../../../src/adapters/files/labels/label-files.ts";
import { ListFiles } from "../../../../../src/adapters/files/labels/list-files.ts";
import { watchLabelFiles } from "../../../../../src/adapters/files/labels/watch-label-files.ts";
import { ConfigInvalidError } from "../../../../../src/kernel/errors.ts";
import { readLabelList } from "../../../../../src/labels/label-list.ts";
import { LabelStore } from "../../../../../src/labels/label-store.ts";
import { LabelBook } from "../../../../../src/service/labels/label-book.ts";
import { FakeClock } from "../../../../fakes/fake-clock.ts";
import { emptyFolder } from "../../../../support/folder.ts";

const header = "chain,address,name,kind\n";

/** Runs one step of its script for each sleep, and aborts after the last step. */
class ScriptedClock extends FakeClock {
  readonly #stop = new AbortController();
  readonly #steps: (() => Promise<void>)[];
  readonly signal = this.#stop.signal;

  constructor(...steps: readonly (() => Promise<void>)[]) {
    super();
    this.#steps = [...steps];
  }

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await super.sleep(ms, signal);
    const step = this.#steps.shift();
    if (step === undefined) this.#stop.abort(new Error("script ended"));
    else await step();
    signal?.throwIfAborted();
  }
}

async function labelFile(): Promise<string> {
  const file = path.join(await emptyFolder(), "labels.csv");
  await writeFile(file, header);
  return file;
}

const nothing = async () => {};

test("a changed file is loaded once after two equal looks, and an unchanged file never", async () => {
  const file = await labelFile();
  const files = new LabelFiles([file]);
  const counts: (number | undefined)[] = [];
  const reload = async () => counts.push((await files.load())[0]?.labels.length) > 0;
  await files.load();

  const write = () => writeFile(file, `${header},a.example,a,site\n`);
  const clock = new ScriptedClock(nothing, write, async () => expect(counts).toEqual([]), nothing, nothing);
  await watchLabelFiles(files, reload, { clock, signal: clock.signal });

  expect(counts).toEqual([1]);
  expect(clock.slept).toEqual(Array(6).fill(2_000));
});

test("a file that is still being written is not loaded until it rests", async () => {
  const file = await labelFile();
  const files = new LabelFiles([file]);
  const counts: (number | undefined)[] = [];
  const reload = async () => counts.push((await files.load())[0]?.labels.length) > 0;
  await files.load();

  const row = (i: number) => () => appendFile(file, `,a${i}.example,a,site\n`);
  const clock = new ScriptedClock(row(1), row(2), row(3), async () => expect(counts).toEqual([]), nothing);
  await watchLabelFiles(files, reload, { clock, signal: clock.signal });

  expect(counts).toEqual([3]);
});

describe("a file that was partly overwritten", () => {
  const rowOf = (i: number) => `,site${String(i).padStart(4, "0")}.example,Site,site\n`;
  const whole = header + Array.from({ length: 40 }, (_, i) => rowOf(i)).join("");

  /** The result of each reload after `contents` were written one after the other, and the last log line. */
  async function reloads(name: string, ...contents: readonly string[]) {
    const file = path.join(await emptyFolder(), name);
    const [first = "", ...later] = contents;
    await writeFile(file, first);
    const files = new LabelFiles([file]);
    const errors: unknown[] = [];
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: (...line: unknown[]) => errors.push(line) };
    const store = await LabelStore.open(files, LabelBook.steps, log);
    const exchanged: boolean[] = [];
    const clock = new ScriptedClock(...later.flatMap((content) => [() => writeFile(file, content), nothing]), nothing);
    const reload = async () => {
      const isExchanged = await store.reload();
      exchanged.push(isExchanged);
      return isExchanged;
    };
    await watchLabelFiles(files, reload, { clock, signal: clock.signal });
    return { file, exchanged, errors };
  }

  const kept = (detail: string) => [
    "the changed labels were refused: the previous labels stay in use",
    { code: "CONFIG_INVALID", detail },
  ];

  test("in the middle of a line is not loaded until the rest is there", async () => {
    const { file, exchanged, errors } = await reloads("a.csv", whole, whole.slice(0, 300), whole);

    expect(exchanged).toEqual([false, true]);
    expect(errors).toEqual([
      kept(`${file} ends within a line: it may be caught while it is written; end its last line with a line break`),
    ]);
  });

  test("with fewer than half of its labels is not loaded until it has half of them again", async () => {
    const rows = (count: number) => header + Array.from({ length: count }, (_, i) => rowOf(i)).join("");
    const { file, exchanged, errors } = await reloads("a.csv", whole, rows(19), rows(18), rows(20), rows(10), rows(4));

    expect(exchanged).toEqual([false, false, true, true, false]);
    const remedy = "it may be caught while it is written; complete it, or restart to use it as it is";
    expect(errors).toEqual([
      kept(`${file} holds 19 labels where it held 40: ${remedy}`),
      kept(`${file} holds 18 labels where it held 40: ${remedy}`),
      kept(`${file} holds 4 labels where it held 10: ${remedy}`),
    ]);
  });

  test("without a last line break before needs none now", async () => {
    const { exchanged, errors } = await reloads("a.csv", `${whole},b.example,b,site`, `${whole},c.example,c,site`);

    expect(exchanged).toEqual([true]);
    expect(errors).toEqual([]);
  });

  test("that is invalid JSON is not loaded", async () => {
    const label = { address: "a.example", name: "a", kind: "site" };
    const json = `${JSON.stringify([label])}\n`;
    const { file, exchanged, errors } = await reloads("a.json", json, json.slice(0, 20), json.trim());

    expect(exchanged).toEqual([false, true]);
    expect(errors).toEqual([kept(expect.stringContaining(`label file ${file}: `))]);
  });
});

test("a file that vanishes, returns or is replaced counts as changed each time", async () => {
  const file = await labelFile();
  const files = new LabelFiles([file]);
  const outcomes: string[] = [];
  const reload = async () => {
    const loading = files.load();
    const outcome = await loading.then(
      () => "loaded",
      () => "failed",
    );
    outcomes.push(outcome);
    return outcome === "loaded";
  };
  await files.load();

  const clock = new ScriptedClock(
    () => rm(file),
    nothing,
    () => writeFile(file, header),
    nothing,
    async () => {
      await writeFile(`${file}.new`, header);
      await rename(`${file}.new`, file);
    },
    nothing,
  );
  await watchLabelFiles(files, reload, { clock, signal: clock.signal });

  expect(outcomes).toEqual(["failed", "loaded", "loaded"]);
});

describe("refused files", () => {
  /** The looks, counted from 1, at which the files were loaded; the first `failures` loads fail. */
  async function loadsAt(failures: number, looks: number, act: (look: number, file: string) => Promise<void>) {
    const file = await labelFile();
    const loads: number[] = [];
    let look = 0;
    const files = new ListFiles([file], async () => {
      loads.push(look);
      // The first load belongs to the start.
      if (loads.length > 1 && loads.length <= failures + 1) throw new ConfigInvalidError("EIO");
      return readLabelList("a", []);
    });
    await files.load();
    const steps = Array.from({ length: looks }, (_, i) => async () => {
      look = i + 1;
      await act(look, file);
    });
    const clock = new ScriptedClock(...steps);
    const reload = () =>
      files.load().then(
        () => true,
        () => false,
      );
    await watchLabelFiles(files, reload, { clock, signal: clock.signal });
    return loads.slice(1);
  }

  test("are retried at growing intervals, although they did not change, until they are loaded", async () => {
    const change = async (look: number, file: string) => (look === 1 ? writeFile(file, `${header}\n`) : undefined);

    expect(await loadsAt(3, 60, change)).toEqual([2, 7, 17, 37]);
    const forever = await loadsAt(Number.POSITIVE_INFINITY, 2_000, change);
    expect(forever.slice(0, 4)).toEqual([2, 7, 17, 37]);
    // The longest interval between two tries is ten minutes.
    expect(forever.slice(-2).reduce((a, b) => b - a)).toBe(300);
  });

  test("are not retried while they are written", async () => {
    const act = async (look: number, file: string) => (look === 1 || look > 5 ? appendFile(file, "\n") : undefined);

    expect(await loadsAt(1, 20, act)).toEqual([2]);
  });
});

test("an abort ends the watch without an error", async () => {
  const files = new LabelFiles([await labelFile()]);

  const never = async () => true;
  await watchLabelFiles(files, never, { clock: new FakeClock(), signal: AbortSignal.abort() });
});
