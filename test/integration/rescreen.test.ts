import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder } from "../support/folder.ts";
import { outcomesIn } from "../support/verdicts.ts";
import { run } from "../support/weir.ts";

const [first, second, third] = ["11", "22", "33"].map((byte) => `0x${byte.repeat(18)}abcd`) as [string, string, string];
const user = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";

const rows = (...addresses: readonly string[]) =>
  `chain,address,name,kind\n${addresses.map((address) => `evm,${address},A party,sanctioned\n`).join("")}`;

test("weir rescreen gives the decisions of a new run with the new lists, both ways", async () => {
  const folder = await emptyFolder();
  const at = (name: string) => path.join(folder, name);
  await writeFile(
    at("events.csv"),
    `id,chain,address,users\na,eth,${first},${user}\nb,eth,${second},${user}\nc,eth,${third},${user}\nd,eth,${user},${third}\n`,
  );
  await writeFile(at("old.csv"), rows(first));
  await writeFile(at("new.csv"), rows(second, third));
  await run(["screen", at("events.csv"), "--out", at("before")], { LISTS_FILES: at("old.csv") });
  await run(["screen", at("events.csv"), "--out", at("after")], { LISTS_FILES: at("new.csv") });

  const report = await run(["rescreen", at("before"), "--lists", at("new.csv"), "--changes", at("changes.ndjson")]);
  expect(report.status).toBe(2);
  const changes = (await readFile(at("changes.ndjson"), "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const decisionOf = async (out: string) =>
    new Map((await outcomesIn(out)).map((text) => text.split(" ")).map(([line, decision]) => [Number(line), decision]));
  const [before, after] = [await decisionOf(at("before")), await decisionOf(at("after"))];
  const expected = [...before].flatMap(([line, decision]) =>
    after.get(line) === decision ? [] : [`${line} ${decision} ${after.get(line)}`],
  );
  expect(expected.length).toBeGreaterThan(2);
  expect(changes.map((each) => `${each.source.line} ${each.before} ${each.after}`).toSorted()).toEqual(
    expected.toSorted(),
  );
  expect(report.stdout).toContain("  new.csv: 2 entries of ");
  expect(report.stdout).toContain("listed listed_sanctioned");

  const same = await run(["rescreen", at("before"), "--lists", at("old.csv")]);
  expect(same).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("0 more severe, 0 milder"),
  });
  const between = await run(["rescreen", at("after"), "--lists", at("new.csv"), "--against", at("old.csv"), "--json"]);
  expect(JSON.parse(between.stdout)).toMatchObject({ schema: "weir.rescreen/1", loosened: 1, compared: 4 });
});

test("weir rescreen without a list, or with a list that is not there, says what to name", async () => {
  const folder = await emptyFolder();
  expect(await run(["rescreen", folder])).toMatchObject({ status: 1, stderr: expect.stringContaining("--lists") });
  const missing = await run(["rescreen", folder, "--lists", path.join(folder, "none.csv")]);
  expect(missing).toMatchObject({ status: 1, stderr: expect.stringContaining("none.csv") });
});
