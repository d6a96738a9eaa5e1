import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder } from "../support/folder.ts";
import { verdictsIn } from "../support/verdicts.ts";
import { run } from "../support/weir.ts";

const fake = "0xd9A1C3788D81257612E2581A6ea0aDa244853a91";
const real = "0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91";

async function screened(): Promise<string> {
  const folder = await emptyFolder();
  const [input, out] = [path.join(folder, "events.csv"), path.join(folder, "out")];
  await writeFile(
    input,
    `id,chain,address,users,ref\nfirst,eth,${fake},${real},"<b>=1+1</b>"\nsecond,eth,${real},${real},\nthird,nowhere,${real},,\n`,
  );
  expect(await run(["screen", input, "--out", out])).toMatchObject({ status: 2 });
  return out;
}

test("weir find gives the verdicts with a key, with and without filters, from the log and from the archive", async () => {
  const out = await screened();
  const ids = async (key: string, ...flags: string[]) => {
    const { status, stdout } = await run(["find", key, out, "--json", ...flags]);
    const lines = stdout.split("\n").slice(0, -1);
    return [status, ...lines.map((line) => JSON.parse(line).verdict.event_id).sort()];
  };
  const everywhere = async () => {
    expect(await ids("first")).toEqual([0, "first"]);
    expect(await ids(fake)).toEqual([0, "first"]);
    expect(await ids(real.toLowerCase())).toEqual([0, "first", "second"]);
    expect(await ids("unheard-of")).toEqual([2]);
    expect(await ids("first", "--until", "2020-01-01")).toEqual([2]);
  };
  await everywhere();
  expect(await run(["index", out])).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("1 new filter for 1 object"),
  });
  expect(await run(["index", out])).toMatchObject({ status: 0, stdout: expect.stringContaining("0 new filters") });
  await everywhere();
  await rm(path.join(out, "verdicts.ndjson"));
  await everywhere();
  const shown = await run(["find", "first", out]);
  expect(shown.stdout).toMatch(/^BLOCK .*\n +event first, revision 0, .*\n[\s\S]* in v1\/verdicts\/.*, line \d\n$/);
});

test("weir explain tells one verdict in four forms, and the audit of the folder stays clean", async () => {
  const out = await screened();
  const text = await run(["explain", "first", out]);
  expect(text.status).toBe(0);
  for (const part of [
    "BLOCK, decided at",
    "decided again from the evidence: BLOCK, the same",
    "fired: poisoning.mimics_user = BLOCK",
    "did not fire in poisoning: ",
    "equal to the metadata",
    "it is the newest object",
    "revision 0: BLOCK",
  ])
    expect(text.stdout).toContain(part);

  const { stdout: html } = await run(["explain", "first", out, "--format", "html"]);
  expect(html).toContain("&lt;b&gt;=1+1&lt;/b&gt;");
  expect(html).not.toMatch(/<b>|<script/);
  const { stdout: markdown } = await run(["explain", "first", out, "--format", "markdown"]);
  expect(markdown).toContain(String.raw`\<b\>=1\+1\</b\>`);
  const [first] = await verdictsIn(out);
  const json = await run(["explain", first?.verdict_id ?? "", out, "--format", "json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    schema: "weir.explanation/1",
    verdict: first,
    decided_again: { decision: "BLOCK", is_equal: true, missing_checks: [] },
    object: { lines_match: true },
  });
  await run(["index", out]);
  expect(await run(["audit", "--dir", out])).toMatchObject({ status: 0 });
});

test("weir explain says that a changed verdict does not follow from its evidence", async () => {
  const out = await screened();
  await rm(path.join(out, "archive"), { recursive: true });
  const log = path.join(out, "verdicts.ndjson");
  const lines = await readFile(log, "utf8");
  await writeFile(log, lines.replace('"decision":"BLOCK"', '"decision":"ALLOW"'));
  const changed = await run(["explain", "first", out]);
  expect(changed).toMatchObject({ status: 2, stdout: expect.stringContaining("BLOCK, ANOTHER DECISION") });
  expect(await run(["explain", "no such event", out])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("has no verdict with the id no such event"),
  });
});
