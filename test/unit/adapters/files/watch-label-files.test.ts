import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LabelFiles } from "../../../../src/adapters/files/label-files.ts";
import { watchLabelFiles } from "../../../../src/adapters/files/watch-label-files.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";

const header = "chain,address,name,kind\n";

/** Runs its script one step a sleep; after the last step it aborts. */
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
  const folder = await mkdtemp(path.join(tmpdir(), "weir-watch-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "labels.csv");
  await writeFile(file, header);
  return file;
}

const nothing = async () => {};

test("a changed file is noticed at the next look, once, and an unchanged one never", async () => {
  const file = await labelFile();
  const files = new LabelFiles([file]);
  const counts: (number | undefined)[] = [];
  const reload = async () => void counts.push((await files.load())[0]?.labels.length);
  await files.load();

  const clock = new ScriptedClock(nothing, () => writeFile(file, `${header},a.example,a,site\n`), nothing);
  await watchLabelFiles(files, reload, { clock, signal: clock.signal });

  expect(counts).toEqual([1]);
  expect(clock.slept).toEqual([2_000, 2_000, 2_000, 2_000]);
});

test("a file that goes, comes back or is replaced by another one is a change each time", async () => {
  const file = await labelFile();
  const files = new LabelFiles([file]);
  const outcomes: string[] = [];
  const reload = async () => {
    const loading = files.load();
    outcomes.push(
      await loading.then(
        () => "loaded",
        () => "failed",
      ),
    );
  };
  await files.load();

  const clock = new ScriptedClock(
    () => rm(file),
    nothing,
    () => writeFile(file, header),
    async () => {
      await writeFile(`${file}.new`, header);
      await rename(`${file}.new`, file);
    },
  );
  await watchLabelFiles(files, reload, { clock, signal: clock.signal });

  expect(outcomes).toEqual(["failed", "loaded", "loaded"]);
});

test("an abort ends the watch without an error", async () => {
  const files = new LabelFiles([await labelFile()]);

  await watchLabelFiles(files, nothing, { clock: new FakeClock(), signal: AbortSignal.abort() });
});
