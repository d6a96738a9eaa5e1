import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder } from "../support/folder.ts";
import { lineOf, verdictsIn } from "../support/verdicts.ts";
import { run } from "../support/weir.ts";

const demoEvents = path.join(import.meta.dirname, "../../demo/events.ndjson");

/** The program's output, one block a verdict: the line that names it and the indented ones that explain it. */
function blocksOf(stdout: string): readonly string[] {
  return stdout.split(/\n(?=(?:ALLOW|WARN|UNKNOWN|BLOCK) +line )/).slice(1);
}

test("the demo shows a verdict for every event it ships with, in order, and succeeds", async () => {
  const out = path.join(await emptyFolder(), "demo");

  const { status, stdout, stderr } = await run(["demo", "--out", out]);

  const events = (await readFile(demoEvents, "utf8")).trimEnd().split("\n");
  const blocks = blocksOf(stdout);
  const verdicts = await verdictsIn(out);
  expect(status).toBe(0);
  expect(stderr).toBe("");
  expect(verdicts.map(lineOf)).toEqual(events.map((_event, i) => i + 1));
  expect(blocks.map((block) => block.split(/\s+/, 3))).toEqual(
    verdicts.map((verdict) => [verdict.decision, "line", String(lineOf(verdict))]),
  );
});

test("at least ten genuine addresses are ALLOW, each with evidence and its time", async () => {
  const { stdout } = await run(["demo", "--out", path.join(await emptyFolder(), "demo")]);

  const allowed = blocksOf(stdout).filter((block) => block.startsWith("ALLOW"));

  expect(allowed.length).toBeGreaterThanOrEqual(10);
  for (const block of allowed) {
    expect(block).toMatch(
      /^ {10}evidence: poisoning asked \d{4}-\d\d-\d\dT[\d:.]+Z: is_poisoning 0, mimics_user 0, mimics_exchange 0/m,
    );
    expect(block).toContain("no configured signal; not a guarantee of safety");
  }
});

test("each lookalike stands beside the address that it imitates, and no lookalike is ALLOW", async () => {
  const out = path.join(await emptyFolder(), "demo");

  const { stdout } = await run(["demo", "--out", out]);

  const blocked = blocksOf(stdout).filter((block) => block.startsWith("BLOCK") && !block.includes(" transaction "));
  const pairs = blocked.map((block) => {
    const [, fake = "", real = ""] = /^ +this +(\S+)\n +imitates +(\S+)\n +\^/m.exec(block) ?? [];
    return [fake, real];
  });
  const resembled = (await verdictsIn(out))
    .filter(({ decision, subject }) => decision === "BLOCK" && subject.type === "address")
    .map(({ reasons }) => reasons.find(({ resembles }) => resembles !== undefined)?.resembles?.toLowerCase());
  expect(blocked.length).toBeGreaterThanOrEqual(10);
  expect(pairs.map(([, real]) => real?.toLowerCase())).toEqual(resembled);
  for (const [fake, real] of pairs) {
    expect(fake).not.toBe("");
    expect(fake).not.toBe(real);
  }
});

test("the takeover of a TRON account is blocked, and says who would have it", async () => {
  const { stdout } = await run(["demo", "--out", path.join(await emptyFolder(), "demo")]);

  const [takeover = ""] = blocksOf(stdout).filter(
    (block) => block.startsWith("BLOCK") && block.includes(" transaction "),
  );

  expect(takeover).toContain("TRON transaction 907a3ebbfbcd");
  expect(takeover).toContain(
    "tron-security: action_block: owner_takeover: takes the account away: TGNr6j9uVj6TBFWaTo1jpiRYejfk8Dgfgp",
  );
});

test("what is broken in the demo is UNKNOWN and says why", async () => {
  const { stdout } = await run(["demo", "--out", path.join(await emptyFolder(), "demo")]);

  const unknown = blocksOf(stdout).filter((block) => block.startsWith("UNKNOWN"));

  for (const reason of ["not valid JSON", 'unknown chain "no-such-chain"', "EIP-55 checksum does not match"]) {
    expect(unknown.join("\n")).toContain(reason);
  }
});

test("the demo refuses a folder that no demo filled, and leaves it as it was", async () => {
  const out = await emptyFolder();
  await writeFile(path.join(out, "verdicts.ndjson"), "mine");

  const { status, stderr } = await run(["demo", "--out", out]);

  expect([status, stderr]).toEqual([1, `weir: ${out} is not empty and holds no earlier demo: choose another --out\n`]);
  expect(await readFile(path.join(out, "verdicts.ndjson"), "utf8")).toBe("mine");
});

test("the demo can be shown again in the same folder, and leaves what else lies there alone", async () => {
  const out = await emptyFolder();
  const first = await run(["demo", "--out", out]);
  await writeFile(path.join(out, "mine.txt"), "mine");

  const second = await run(["demo", "--out", out]);

  expect([first.status, second.status]).toEqual([0, 0]);
  expect(blocksOf(second.stdout)).toHaveLength(blocksOf(first.stdout).length);
  expect(second.stdout).not.toContain("resumed");
  expect(await readFile(path.join(out, "mine.txt"), "utf8")).toBe("mine");
});

test("the demo asked to take a service elsewhere says that it needs a key for it", async () => {
  const out = path.join(await emptyFolder(), "demo");

  const { status, stderr } = await run(["demo", "--out", out], { SERVICE_URL: "http://127.0.0.1:1" });

  expect(status).toBe(1);
  expect(stderr).toMatch(/^weir: no API key: set SERVICE_API_KEY/);
});
