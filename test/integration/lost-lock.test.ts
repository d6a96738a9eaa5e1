import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { emptyFolder } from "../support/folder.ts";
import { genuine, ndjson } from "../support/screening.ts";
import { start } from "../support/weir.ts";

test("a run that loses its directory while it is suspended ends at its next heartbeat, and writes nothing more", async () => {
  const out = path.join(await emptyFolder(), "out");
  const lock = path.join(out, ".lock");
  const verdicts = () => readFile(path.join(out, "verdicts.ndjson"), "utf8").catch(() => "");
  const running = start(["screen", "-", "--out", out]);
  running.child.stdin.write(ndjson(genuine));
  await eventually(verdicts, (text) => text.endsWith("\n"), "the first verdict");
  const before = await verdicts();

  const theirs = "7 1 9131d560-49fa-45cd-a1d4-86bb3e75994a/4026531836/another";
  await writeFile(`${lock}.theirs`, theirs);
  await rename(`${lock}.theirs`, lock);
  const { status, stderr } = await running.ended;

  expect(stderr).toContain(
    `weir: ${out} was taken over by process 7 of another container or machine while this run stood still; nothing more is written: start again once no other run is at it, or choose another --out\n`,
  );
  expect(status).toBe(1);
  expect(await readFile(lock, "utf8")).toBe(theirs);
  expect(await verdicts()).toBe(before);
});
