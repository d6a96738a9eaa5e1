/** The statements of README, docs/labels-and-lists.md and SECURITY.md about lists, compared with the bundled files. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { findChain } from "../../../src/chains/registry.ts";
import { bundled, packageRoot } from "../../../src/cli/program/package-root.ts";
import { addressKinds, HIGH_RISK, isAccusing } from "../../../src/labels/label.ts";
import { bad, listed, verdictOn } from "../../support/listed-case.ts";

const read = (file: string) => readFileSync(path.join(packageRoot, file), "utf8");
const [readme, security, labels] = [read("README.md"), read("SECURITY.md"), read("docs/labels-and-lists.md")];
const { files } = JSON.parse(read("package.json"));

interface Row {
  readonly file: string;
  readonly cells: Readonly<Record<string, string>>;
}

/** Data files have no quotes and no commas within a cell. */
function rowsOf(file: string): readonly Row[] {
  const [header = "", ...lines] = read(file)
    .trimEnd()
    .split("\n")
    .filter((line) => !line.startsWith("#"));
  const names = header.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    return { file, cells: Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ""])) };
  });
}

const data = globSync("data/**/*.csv", { cwd: packageRoot }).flatMap(rowsOf);
const ofLists: readonly string[] = ["allowed", ...addressKinds.filter(isAccusing)];
const accusing = data.filter(
  ({ cells: { kind = "", risk_level = "0" } }) => ofLists.includes(kind) || Number(risk_level) >= HIGH_RISK,
);

describe("README: no sanctions list is bundled with Weir", () => {
  test("the README contains the statement, and the way to get a list", () => {
    for (const document of [readme, labels])
      expect(document).toContain("**No sanctions list ships with Weir:** get one from OFAC's Sanctions List Service");
  });

  test("no data file holds a sanctioned, blocked, malicious or allowed address, or one of risk 4 or 5", () => {
    expect(new Set(data.map(({ file }) => file)).size).toBe(bundled.labels.length);
    expect(data.length).toBeGreaterThan(18_000);
    expect(data.every(({ cells: { kind = "" } }) => kind !== "")).toBe(true);
    expect(accusing).toEqual([]);
  });

  test("the only published list is made for the demo", () => {
    const published = globSync(
      files.map((name: string) => `${name}/**/*.csv`),
      { cwd: packageRoot, exclude: (name) => name === "dist" },
    );
    const others = published.filter((file) => !file.startsWith("data"));

    expect(others.map((file) => path.join(packageRoot, file))).toEqual([bundled.demoLists]);
    expect(read(others[0] ?? "")).toMatch(/^# Made for the demo\. No sanctions list ships with Weir;/);
    expect(rowsOf(others[0] ?? "").map(({ cells: { name } }) => name)).toEqual(["A party made for the demo"]);
  });
});

describe("SECURITY.md", () => {
  test("a listed address is BLOCK, whatever a service answers", async () => {
    expect(security).toContain("a listed address is BLOCK whatever a service answers");
    const deposit = { type: "address", chain_id: "1", address: bad, user_addresses: [`0x${"12".repeat(20)}`] };

    expect((await verdictOn(deposit)).decision).toBe("ALLOW");
    expect((await verdictOn(deposit, listed)).decision).toBe("BLOCK");
    const { tables } = JSON.parse(readFileSync(bundled.policy, "utf8"));
    for (const [name, { findings }] of Object.entries<{ findings: { listed: object } }>(tables))
      expect(findings.listed, name).toMatchObject({ listed_sanctioned: "BLOCK", listed_blocked: "BLOCK" });
  });

  test("the count of bundled exchange wallets is right, and equals the one in docs/labels-and-lists.md", () => {
    const wallets = data.filter(({ cells: { kind } }) => kind === "exchange");
    const on = (family: string) => wallets.filter(({ cells: { chain = "" } }) => findChain(chain)?.family === family);

    expect(security).toContain(
      `Of exchange wallets ${wallets.length} are bundled: ${on("evm").length} on EVM chains, ${on("solana").length} on Solana, none on TRON or Bitcoin.`,
    );
    expect([on("tron"), on("bitcoin")]).toEqual([[], []]);
    expect(labels).toContain(`[${wallets.length} exchange wallets](../data/exchanges.csv)`);
  });

  test("the check that sets of lists stay archived is named", () => {
    expect(security).toMatch(/\| which lists a verdict was held against \|.*`lists_missing`, `lists_changed`/);
  });
});
