import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { readQuotaFile } from "../../../../../src/cli/wiring/quota/quota-file.ts";
import { emptyFolder } from "../../../../support/folder.ts";

const kept = { schema: "weir.quota/2", key: "0123-012", requests_per_second: 20, burst: 3, window_ms: 1_000 };
const text = (own: Partial<typeof kept> = {}) => `${JSON.stringify({ ...kept, ...own }, undefined, 2)}\n`;

async function fileOf(content: string): Promise<string> {
  const file = path.join(await emptyFolder(), "quota.json");
  await writeFile(file, content);
  return file;
}

test.each([
  "",
  "{",
  "[]",
  text({ requests_per_second: 0 }),
  text({ burst: -1 }),
  text({ burst: 1_000_001 }),
  text({ window_ms: 600_001 }),
  text({ schema: "weir.quota/1" }),
  text().replace(/"key".*/, ""),
])("a file with %j is unreadable, and is reported with its path", async (content) => {
  const file = await fileOf(content);

  expect(await readQuotaFile(file)).toEqual({
    state: "unfit",
    reason: `${file} cannot be read: it does not hold what weir.quota/2 does`,
    remedy: "remove it, or name another file as SERVICE_QUOTA_FILE: what is learned is written over it",
  });
});

test.each([
  [0.99, "nothing below 1", "give a quota that is so small as SERVICE_QUOTA, as 30/1min"],
  [100_001, "nothing above 100000", "remove it, or say the quota as SERVICE_QUOTA"],
])("%d requests a second are rejected, with that reason", async (perSecond, bound, remedy) => {
  const file = await fileOf(text({ requests_per_second: perSecond }));

  expect(await readQuotaFile(file)).toEqual({
    state: "unfit",
    reason: `${file} says ${perSecond} requests a second, and ${bound} is believed: it is learned anew`,
    remedy,
  });
});

test("an absent file holds no quota, and a folder is unreadable", async () => {
  const folder = await emptyFolder();

  expect(await readQuotaFile(path.join(folder, "quota.json"))).toEqual({ state: "none" });
  expect(await readQuotaFile(folder)).toMatchObject({ state: "unfit", reason: expect.stringContaining(folder) });
});

test.each([
  text({ requests_per_second: 1, burst: 0, window_ms: 0 }),
  text({ requests_per_second: 100_000, burst: 1_000_000, window_ms: 600_000 }),
])("a file that holds %j is believed", async (content) => {
  expect(await readQuotaFile(await fileOf(content))).toMatchObject({ state: "learned", mark: "0123-012" });
});
