import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { openLearner } from "../../../../../src/cli/wiring/quota/learned-quota.ts";
import { readQuotaFile } from "../../../../../src/cli/wiring/quota/quota-file.ts";
import { Lifecycle } from "../../../../../src/kernel/lifecycle.ts";
import type { RateLearner } from "../../../../../src/worker/rate-limit/learner/rate-learner.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";
import { emptyFolder } from "../../../../support/folder.ts";

const MARK = "0123456789abcdef-012";
const mark = () => MARK;
const kept = { schema: "weir.quota/2", key: MARK, requests_per_second: 20, burst: 3, window_ms: 1_000 };
const text = (own: Partial<typeof kept> = {}) => `${JSON.stringify({ ...kept, ...own }, undefined, 2)}\n`;

/** One random 429, which lowers the learned rate slightly. */
function surprise(learner: RateLearner): void {
  learner.refused(learner.sent(10_000), 10_020, 0);
  learner.taken(learner.sent(11_000), 11_020);
}

test("a learned quota is saved on close, and no other file is left", async () => {
  const folder = await emptyFolder();
  const file = path.join(folder, "quota.json");
  await writeFile(file, text());
  const opened = new Lifecycle();
  const learner = await openLearner({ file, mark, opened, log: new FakeLog() });
  expect(learner.minTimeMs).toBe(50);
  surprise(learner);

  expect(await opened.close(1_000)).toEqual([]);

  expect(await readFile(file, "utf8")).toBe(text({ requests_per_second: 19.7 }));
  expect(await readdir(folder)).toEqual(["quota.json"]);
  const learned = { perSecond: 19.7, burst: 3, windowMs: 1_000 };
  expect(await readQuotaFile(file)).toEqual({ state: "learned", learned, mark: MARK });
});

test("no file is written without a learned quota", async () => {
  const folder = await emptyFolder();
  const opened = new Lifecycle();
  const learner = await openLearner({ file: path.join(folder, "quota.json"), mark, opened, log: new FakeLog() });

  expect(await opened.close(1_000)).toEqual([]);

  expect([learner.minTimeMs, learner.learned, await readdir(folder)]).toEqual([100, undefined, []]);
});

test("without a file a quota is learned and not kept", async () => {
  const opened = new Lifecycle();
  const learner = await openLearner({ file: undefined, mark, opened, log: new FakeLog() });
  expect([learner.learned, await opened.close(1_000)]).toEqual([undefined, []]);
});

test("an unusable file is logged, and the quota is learned again", async () => {
  const file = path.join(await emptyFolder(), "quota.json");
  await writeFile(file, '{"x":');
  const log = new FakeLog();
  const { learned } = await openLearner({ file, mark, opened: new Lifecycle(), log });

  expect([learned, log.messages("warn")]).toEqual([undefined, ["the stored quota is not used"]]);
  expect(log.lines[0]?.fields).toMatchObject({ file, reason: expect.stringContaining("cannot be read") });
});

test("a kept quota of this key is used and logged, and one of another key or service is learned again", async () => {
  const file = path.join(await emptyFolder(), "quota.json");
  await writeFile(file, text());
  const log = new FakeLog();
  const paceOf = async (key: string) =>
    (await openLearner({ file, mark: () => key, opened: new Lifecycle(), log })).minTimeMs;

  expect([await paceOf(MARK), await paceOf("0123456789abcdef-013")]).toEqual([50, 100]);
  expect(log.messages("info")).toEqual([
    "Weir starts at the rate that an earlier process learned",
    "the stored quota belongs to another key or service",
  ]);
});

test("a file that cannot be written is logged, and causes no failure", async () => {
  const folder = await emptyFolder();
  const file = path.join(folder, "quota.json");
  await writeFile(file, text());
  const opened = new Lifecycle();
  const log = new FakeLog();
  surprise(await openLearner({ file, mark, opened, log }));
  // A folder blocks the path of the new file.
  await mkdir(`${file}.${process.pid}.tmp`);

  expect(await opened.close(1_000)).toEqual([]);
  expect(log.messages("warn")).toEqual(["Weir cannot store the learned quota"]);
});
