import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { Verdict } from "../../src/messages/verdict.ts";
import { eventually } from "../support/eventually.ts";
import { emptyFolder } from "../support/folder.ts";
import { lineOf, verdictsIn } from "../support/verdicts.ts";
import { type Ended, run, start } from "../support/weir.ts";

const root = path.join(import.meta.dirname, "../..");
/** Timeout of a test that runs a whole demo. Several tests may share the cores. */
const DEMO_MS = 180_000;
const demoEvents = path.join(root, "demo", "events.ndjson");

/** The program's output, one block per verdict: the line that names it and the indented lines that explain it. */
function blocksOf(stdout: string): readonly string[] {
  return stdout.split(/\n(?=(?:ALLOW|WARN|UNKNOWN|BLOCK) +line )/).slice(1);
}

interface Shown extends Ended {
  readonly verdicts: readonly Verdict[];
  /** The files of its folder that a later run continues from. */
  readonly left: ReadonlyMap<string, Uint8Array>;
}

let whole: Promise<Shown> | undefined;

/** One whole demo, which several tests share. */
function wholeDemo(): Promise<Shown> {
  const show = async () => {
    const out = path.join(await emptyFolder(), "demo");
    const ended = await run(["demo", "--out", out]);
    const names = [".demo", "run.json", "verdicts.ndjson"];
    const files = names.map(async (name) => [name, await readFile(path.join(out, name))] as const);
    return { ...ended, verdicts: await verdictsIn(out), left: new Map(await Promise.all(files)) };
  };
  whole ??= show();
  return whole;
}

test(
  "the demo shows a verdict for every bundled event, in order, and succeeds",
  async () => {
    const shown = await wholeDemo();
    const events = (await readFile(demoEvents, "utf8")).trimEnd().split("\n");

    expect([shown.status, shown.stderr]).toEqual([0, ""]);
    expect(shown.verdicts.map(lineOf)).toEqual(events.map((_event, i) => i + 1));
    expect(blocksOf(shown.stdout).map((block) => block.split(/\s+/, 3))).toEqual(
      shown.verdicts.map((verdict) => [verdict.decision, "line", String(lineOf(verdict))]),
    );
  },
  DEMO_MS,
);

test(
  "all five operations give real answers, over the chains that the demo names",
  async () => {
    const { stdout, verdicts } = await wholeDemo();
    const answered = verdicts.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome === "ok"));

    expect([...new Set(answered.map(({ check }) => check))].sort()).toEqual([
      "classification",
      "evm-security",
      "listed",
      "poisoning",
      "solana-simulation",
      "token-security",
      "tron-integrity",
      "tron-security",
    ]);
    expect(stdout).toMatch(/^ {2}EVM {7}anvil at http:\/\/127\.0\.0\.1:\d+, a chain of its own/m);
    expect(stdout).toMatch(/^ {2}Solana {4}LiteSVM, the network's own runtime/m);
    expect(stdout).toMatch(/^ {2}TRON {6}rules on what transactions say/m);
  },
  DEMO_MS,
);

test(
  "each token's analysis is in progress first, is polled again, and ends as a verdict",
  async () => {
    const { stdout, verdicts } = await wholeDemo();
    const ofTokens = verdicts.filter(({ event_id: id }) => id.startsWith("token-"));
    const analysed = ofTokens.flatMap((verdict) =>
      verdict.checks
        .filter(({ check, outcome }) => check === "token-security" && outcome === "ok")
        .map(({ attempts }) => ({ id: verdict.event_id, decision: verdict.decision, isAskedAgain: attempts > 1 })),
    );

    const of = (decision: string, ...names: readonly string[]) =>
      names.map((name) => ({ id: `token-${name}`, decision, isAskedAgain: true }));
    expect(analysed).toEqual([
      ...of("ALLOW", "plain", "plain-for-stable", "fee", "blacklist", "pausable"),
      ...of("WARN", "mintable", "hidden-owner"),
      ...of("ALLOW", "proxy"),
      ...of("BLOCK", "trap-owner", "trap-shut", "trap-dust", "trap-fee", "trap-gate"),
      ...of("UNKNOWN", "trap-memory"),
      ...of("ALLOW", "plain-in-range"),
      ...of("BLOCK", "trap-in-range"),
    ]);
    expect(stdout).toMatch(/^Analyses in progress were asked for again \d+ times, as the service said\.$/m);
  },
  DEMO_MS,
);

test(
  "EVM transactions are executed on that chain, and their effects are shown",
  async () => {
    const { stdout, verdicts } = await wholeDemo();
    const told = verdicts.filter(({ event_id: id }) => id.startsWith("evm-"));
    const [, , giveaway = ""] = blocksOf(stdout).filter((block) => block.includes("Cannon transaction"));

    expect(told.map(({ event_id: id, decision }) => [id, decision])).toEqual([
      ["evm-payment", "ALLOW"],
      ["evm-approval", "BLOCK"],
      ["evm-giveaway", "BLOCK"],
    ]);
    expect(giveaway).toContain("evm-security: action_block: several_assets_leave: takes ");
  },
  DEMO_MS,
);

test(
  "at least ten genuine addresses are ALLOW, each with evidence and its time",
  async () => {
    const { stdout } = await wholeDemo();
    const allowed = blocksOf(stdout).filter((block) => block.startsWith("ALLOW"));

    expect(allowed.length).toBeGreaterThanOrEqual(10);
    for (const block of allowed) {
      expect(block).toMatch(
        /^ {10}evidence: poisoning asked \d{4}-\d\d-\d\dT[\d:.]+Z(?: \(2 requests\))?: is_poisoning 0, mimics_user 0, mimics_exchange 0/m,
      );
      expect(block).toMatch(/no configured signal; not a guarantee of safety/);
    }
  },
  DEMO_MS,
);

test(
  "each lookalike is shown beside the address that it imitates, and no lookalike is ALLOW",
  async () => {
    const { stdout, verdicts } = await wholeDemo();
    const pairs = blocksOf(stdout).flatMap((block) => {
      const pair = /^ +this +(\S+)\n +imitates +(\S+)\n +\^/m.exec(block);
      return pair === null ? [] : [{ decision: block.slice(0, 5), fake: pair[1], real: pair[2]?.toLowerCase() }];
    });
    const resembled = verdicts.flatMap(({ decision, reasons, subject }) => {
      const named = reasons.find(({ resembles }) => resembles !== undefined)?.resembles?.toLowerCase();
      return named === undefined || subject.type !== "address" ? [] : [{ decision, real: named }];
    });

    expect(pairs.length).toBeGreaterThanOrEqual(10);
    expect(pairs.map(({ decision, real }) => ({ decision, real }))).toEqual(resembled);
    for (const { decision, fake, real } of pairs) {
      expect(decision).toBe("BLOCK");
      expect(fake?.toLowerCase()).not.toBe(real);
    }
  },
  DEMO_MS,
);

test(
  "the takeover of a TRON account is blocked, and the verdict names the new controller",
  async () => {
    const { stdout } = await wholeDemo();
    const [takeover = ""] = blocksOf(stdout).filter((block) => block.includes("TRON transaction"));

    expect(takeover).toMatch(/^BLOCK /);
    expect(takeover).toContain("TRON transaction 907a3ebbfbcd");
    expect(takeover).toContain(
      "tron-security: action_block: owner_takeover: takes the account away: TGNr6j9uVj6TBFWaTo1jpiRYejfk8Dgfgp",
    );
  },
  DEMO_MS,
);

test(
  "a broken event of the demo is UNKNOWN with its reason",
  async () => {
    const { stdout } = await wholeDemo();
    const unknown = blocksOf(stdout).filter((block) => block.startsWith("UNKNOWN"));

    for (const reason of ["not valid JSON", 'unknown chain "no-such-chain"', "EIP-55 checksum does not match"]) {
      expect(unknown.join("\n")).toContain(reason);
    }
  },
  DEMO_MS,
);

/** True when a process listens there. */
const listens = (url: string) =>
  fetch(url, { method: "POST" }).then(
    () => true,
    () => false,
  );

test.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)(
  "the demo's chain ends with the demo, when %s ends it in the middle",
  async (signal) => {
    const demo = start(["demo", "--out", path.join(await emptyFolder(), "demo")]);
    const [, url = ""] = await demo.untilSaid(/anvil at (http:\S+),/);
    expect(await listens(url)).toBe(true);

    demo.child.kill(signal);
    const { status, stderr } = await demo.ended;

    const said = "weir: stopped; what the demo had started is ended, and the same command begins it anew\n";
    const ended = { SIGKILL: ["SIGKILL", ""], SIGTERM: [1, said], SIGINT: [130, said] } as const;
    expect([status, stderr]).toEqual(ended[signal]);
    await eventually(
      () => listens(url),
      (isThere) => !isThere,
      "the chain is gone",
    );
  },
  DEMO_MS,
);

test(
  "without anvil the demo names what is missing and screens the rest, and no event is ALLOW for lack of a chain",
  async () => {
    const { verdicts } = await wholeDemo();
    const folder = await emptyFolder();
    for (const part of ["src", "data", "demo", "package.json"])
      await cp(path.join(root, part), path.join(folder, part), { recursive: true });
    await mkdir(path.join(folder, "node_modules"));
    for (const name of await readdir(path.join(root, "node_modules"))) {
      if (name !== "@foundry-rs" && !name.startsWith("."))
        await symlink(path.join(root, "node_modules", name), path.join(folder, "node_modules", name));
    }
    const rest = path.join(folder, "out");

    const demo = start(["demo", "--out", rest], {}, path.join(folder, "src", "cli", "main.ts"));
    const { status, stdout, stderr } = await demo.ended;

    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^ {2}EVM {7}no chain: the package @foundry-rs\/anvil-\S+ is not installed: run npm ci/m);
    expect(stdout).toContain("nothing is known of the tokens and contracts of chain 13370");
    const decided = (await verdictsIn(rest)).map(({ event_id: id, decision }) => [id, decision]);
    // An unlimited approval is visible in the calldata. Only a chain shows that the spender is a wallet.
    const without = (id: string) => (id === "evm-approval" ? "WARN" : "UNKNOWN");
    expect(decided).toEqual(
      verdicts.map(({ event_id: id, decision }) => [id, /^(token|kind|evm)-/.test(id) ? without(id) : decision]),
    );
  },
  DEMO_MS,
);

test("the demo refuses a folder that no demo filled, and leaves it unchanged", async () => {
  const taken = await emptyFolder();
  await writeFile(path.join(taken, "verdicts.ndjson"), "mine");

  const { status, stderr } = await run(["demo", "--out", taken]);

  expect([status, stderr]).toEqual([
    1,
    `weir: ${taken} is not empty and holds no earlier demo: choose another --out\n`,
  ]);
  expect(await readFile(path.join(taken, "verdicts.ndjson"), "utf8")).toBe("mine");
});

test(
  "the demo can be shown again in the same folder, and leaves other files there alone",
  async () => {
    const { verdicts, left } = await wholeDemo();
    const out = await emptyFolder();
    for (const [name, bytes] of left) await writeFile(path.join(out, name), bytes);
    await writeFile(path.join(out, "mine.txt"), "mine");
    // Retry tickets and the learned quota of an interrupted demo do not belong to this one.
    for (const name of ["tickets.ndjson", "quota.json"]) await writeFile(path.join(out, name), "of an earlier demo\n");

    const { status, stdout } = await run(["demo", "--out", out]);

    expect(status).toBe(0);
    expect(blocksOf(stdout)).toHaveLength(verdicts.length);
    expect(stdout).not.toContain("resumed");
    expect(await readFile(path.join(out, "mine.txt"), "utf8")).toBe("mine");
  },
  DEMO_MS,
);

test("the demo with an external service says that it needs a key for it", async () => {
  const elsewhere = path.join(await emptyFolder(), "demo");

  const { status, stderr } = await run(["demo", "--out", elsewhere], { SERVICE_URL: "http://127.0.0.1:1" });

  expect(status).toBe(1);
  expect(stderr).toMatch(/^weir: no API key: set SERVICE_API_KEY/);
});
