import { glob, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder } from "../support/folder.ts";
import { run } from "../support/weir.ts";

const fake = "0xd9A1C3788D81257612E2581A6ea0aDa244853a91";
const real = "0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91";

async function screened(): Promise<{ readonly folder: string; readonly out: string }> {
  const folder = await emptyFolder();
  const [input, out] = [path.join(folder, "events.csv"), path.join(folder, "out")];
  await writeFile(input, `chain,address,users\neth,${fake},${real}\neth,${real},${real}\nnowhere,${real},\n`);
  expect(await run(["screen", input, "--out", out])).toMatchObject({ status: 2 });
  return { folder, out };
}

/** A copy of the bundled policy in which some rows of a check are WARN, and an address needs one check more. */
async function otherPolicy(folder: string, rows: readonly string[], added: readonly string[] = []): Promise<string> {
  const policy = JSON.parse(await readFile("data/policy.json", "utf8"));
  for (const row of rows) policy.tables.default.findings.poisoning[row] = "WARN";
  policy.tables.default.required_checks.address.push(...added);
  const file = path.join(folder, "other.json");
  await writeFile(file, JSON.stringify(policy));
  return file;
}

test("weir backtest reports that its own policy changes nothing, also when only the archive is left", async () => {
  const { out } = await screened();
  const log = await run(["backtest", out, "--policy", "data/policy.json"]);
  await rm(path.join(out, "verdicts.ndjson"));
  const archive = await run(["backtest", out, "--policy", "data/policy.json"]);

  expect(log).toMatchObject({ status: 0, stdout: expect.stringContaining("0 loosened, 0 tightened, 3 equal\n") });
  expect(archive).toMatchObject({ status: 0, stdout: log.stdout });
});

test("weir backtest exits with 2 for a milder policy, and writes each changed verdict", async () => {
  const { folder, out } = await screened();
  const policy = await otherPolicy(folder, ["is_poisoning", "mimics_user"], ["classification"]);
  const changes = path.join(folder, "changes.ndjson");
  const report = await run(["backtest", out, "--policy", policy, "--changes", changes]);

  expect(report.status).toBe(2);
  expect(report.stdout).toMatch(/^3 verdicts: policy [0-9a-f]{12} against the recorded decisions$/m);
  expect(report.stdout).toMatch(/^BLOCK +0 +1 +0 +0$/m);
  expect(report.stdout).toContain("1 loosened, 0 tightened, 2 equal\n");
  expect(report.stdout).toContain("  1 loosened, 0 tightened  poisoning mimics_user\n");
  expect(report.stdout).toContain(
    "  classification: missing in 2 verdicts; 2 different questions, at least 2 requests\n",
  );
  const [line = ""] = (await readFile(changes, "utf8")).split("\n");
  expect(JSON.parse(line)).toMatchObject({
    change: "loosened",
    before: "BLOCK",
    after: "WARN",
    lacks: ["classification"],
    source: { line: 2 },
  });

  const again = await run(["backtest", out, "--policy", policy, "--changes", changes]);
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining("the file is there already") });
});

test("weir backtest --against compares two policies, and --json has every count", async () => {
  const { folder, out } = await screened();
  const milder = await otherPolicy(folder, ["is_poisoning", "mimics_user"]);
  const report = await run(["backtest", out, "--policy", "data/policy.json", "--against", milder, "--json"]);

  expect(report.status).toBe(0);
  expect(JSON.parse(report.stdout)).toMatchObject({
    schema: "weir.backtest/1",
    compared: 3,
    loosened: 0,
    tightened: 1,
    matrix: { WARN: { BLOCK: 1 } },
    unknown_policies: 0,
  });
});

test("weir backtest says what is missing where there is nothing to decide", async () => {
  const { out } = await screened();
  const other = await run(["backtest", out, "--policy", "data/policy.json", "--until", "2020-01-01"]);
  expect(other).toMatchObject({ status: 1, stderr: expect.stringContaining("check --from and --until") });
  const nowhere = await run(["backtest", path.join(out, "nowhere"), "--policy", "data/policy.json"]);
  expect(nowhere).toMatchObject({ status: 1, stderr: expect.stringContaining("neither verdicts.ndjson nor archive/") });
  const policy = await run(["backtest", out, "--policy", path.join(out, "none.json")]);
  expect(policy).toMatchObject({ status: 1, stderr: expect.stringContaining("--policy") });
});

test("weir backtest knows the policy of --against, and is not sure of verdicts of an unknown policy", async () => {
  const { folder } = await screened();
  const old = await otherPolicy(folder, [], ["classification"]);
  const [input, out] = [path.join(folder, "events.csv"), path.join(folder, "own")];
  // Without a node no address is classified, so each of them is UNKNOWN.
  await run(["screen", input, "--out", out], { POLICY_FILE: old });

  const compared = await run(["backtest", out, "--policy", "data/policy.json", "--against", old]);
  expect(compared).toMatchObject({ status: 2, stdout: expect.stringContaining("1 loosened") });
  const unknown = await run(["backtest", out, "--policy", "data/policy.json"]);
  expect(unknown).toMatchObject({ status: 2, stdout: expect.stringContaining("of policies that are not available") });
  const named = await run(["backtest", out, "--policy", "data/policy.json"], { POLICY_FILE: old });
  expect(named).toMatchObject({ status: 2, stdout: expect.stringContaining("1 loosened") });
});

test("weir backtest and weir find fail where the lines of an object are gone", async () => {
  const { out } = await screened();
  await rm(path.join(out, "verdicts.ndjson"));
  const [object = ""] = await globbed(path.join(out, "archive/v1"), "**/*.gz");
  await rm(path.join(out, "archive/v1", object));
  for (const command of [
    ["backtest", out, "--policy", "data/policy.json"],
    ["find", real, out],
    ["index", out],
  ])
    expect(await run(command)).toMatchObject({ status: 1, stderr: expect.stringContaining("its lines are gone") });
});

async function globbed(cwd: string, pattern: string): Promise<readonly string[]> {
  return Array.fromAsync(glob(pattern, { cwd }));
}
