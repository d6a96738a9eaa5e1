import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { openLearner, readLearnedQuota } from "../../../src/cli/learned-quota.ts";
import { Lifecycle } from "../../../src/kernel/lifecycle.ts";
import type { RateLearner } from "../../../src/worker/pace/rate-learner.ts";
import { FakeLog } from "../../fakes/fake-log.ts";
import { emptyFolder } from "../../support/folder.ts";

const text = (perSecond: number) =>
  `${JSON.stringify({ schema: "weir.quota/1", requests_per_second: perSecond, burst: 3, window_ms: 1_000 }, undefined, 2)}\n`;

/** One 429 by chance, which makes the learned rate a little less. */
function surprise(learner: RateLearner): void {
  learner.refused(learner.sent(10_000), 10_020, 0);
  learner.taken(learner.sent(11_000), 11_020);
}

test("what was learned is kept when all is closed, and nothing else is left", async () => {
  const folder = await emptyFolder();
  const file = path.join(folder, "quota.json");
  await writeFile(file, text(20));
  const opened = new Lifecycle();
  const learner = await openLearner({ file, opened, log: new FakeLog() });
  expect(learner.minTimeMs).toBe(50);
  surprise(learner);

  expect(await opened.close(1_000)).toEqual([]);

  expect(await readFile(file, "utf8")).toBe(text(19.7));
  expect(await readdir(folder)).toEqual(["quota.json"]);
  expect(await readLearnedQuota(file)).toEqual({ perSecond: 19.7, burst: 3, windowMs: 1_000 });
});

test("nothing is written when nothing was learned", async () => {
  const folder = await emptyFolder();
  const opened = new Lifecycle();
  const learner = await openLearner({ file: path.join(folder, "quota.json"), opened, log: new FakeLog() });

  expect(await opened.close(1_000)).toEqual([]);

  expect([learner.minTimeMs, learner.learned, await readdir(folder)]).toEqual([100, undefined, []]);
});

test("without a file it is learned and forgotten", async () => {
  const opened = new Lifecycle();
  const learner = await openLearner({ file: undefined, opened, log: new FakeLog() });
  expect([learner.learned, await opened.close(1_000)]).toEqual([undefined, []]);
});

test.each(["", "{", "[]", text(0), text(5).replace("weir.quota/1", "weir.quota/2")])(
  "a file that holds %j is learned anew",
  async (content) => {
    const file = path.join(await emptyFolder(), "quota.json");
    await writeFile(file, content);
    expect(await readLearnedQuota(file)).toBeUndefined();
  },
);

test("a file that cannot be written is told, and fails nothing", async () => {
  const folder = await emptyFolder();
  const file = path.join(folder, "quota.json");
  await writeFile(file, text(20));
  const opened = new Lifecycle();
  const log = new FakeLog();
  surprise(await openLearner({ file, opened, log }));
  // Where the new file is made, something else is in the way.
  await mkdir(`${file}.${process.pid}.tmp`);

  expect(await opened.close(1_000)).toEqual([]);
  expect(log.messages("warn")).toEqual(["what was learned of the quota cannot be kept"]);
});
