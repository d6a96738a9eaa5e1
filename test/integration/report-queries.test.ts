/** The queries of docs/reports.md over a folder of a run. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { raw } from "jq-wasm";
import { expect, onTestFinished, test } from "vitest";
import type { Verdict } from "../../src/messages/verdict.ts";
import { unanswered, verdictAt } from "../fakes/verdicts.ts";
import { verdictFolder } from "../support/verdict-folder.ts";

const fake = "0xd9a1c3788d81257612e2581a6ea0ada244853a91";
const real = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
/** Lines from which DuckDB takes the fields of a file, unless the query states them. */
const SAMPLE = 20_480;

const blocked: Verdict = {
  ...verdictAt(SAMPLE + 500),
  decision: "BLOCK",
  subject: { type: "address", chain_id: "1", address: fake, user_addresses: [real] },
  reasons: [{ check: "poisoning", finding: "mimics_user", severity: "BLOCK", detail: "alike", resembles: real }],
  ref: { desk: "Zürich" },
};
const verdicts: readonly Verdict[] = [
  { ...unanswered(1), unanswered: true },
  { ...verdictAt(1), revision: 1 },
  { ...unanswered(2), unanswered: true },
  ...Array.from({ length: SAMPLE }, (_, i) => verdictAt(i + 3)),
  blocked,
];

async function queries(language: string): Promise<readonly string[]> {
  const page = await readFile("docs/reports.md", "utf8");
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, code = ""]) => code);
}

async function connected(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  onTestFinished(() => connection.closeSync());
  return connection;
}

async function rowsOf(connection: DuckDBConnection, sql: string) {
  return (await connection.runAndReadAll(sql)).getRowObjectsJson();
}

test("DuckDB answers the queries, also about fields that first occur behind its sample", async () => {
  const [view = "", decisions = "", findings = "", lookalikes = ""] = await queries("sql");
  const dir = await verdictFolder(verdicts);
  const connection = await connected();
  await connection.run(view.replace("'day/", `'${dir}/`));

  expect(await rowsOf(connection, decisions)).toEqual([
    { decision: "ALLOW", events: String(SAMPLE + 1) },
    { decision: "UNKNOWN", events: "1" },
    { decision: "BLOCK", events: "1" },
  ]);
  expect(await rowsOf(connection, findings)).toEqual([{ finding: "mimics_user", events: "1" }]);
  expect(await rowsOf(connection, lookalikes)).toEqual([
    { line: String(SAMPLE + 500), address: fake, imitates: real, desk: "Zürich" },
  ]);
});

test("without stated columns, DuckDB loses a field that first occurs behind its sample", async () => {
  const dir = await verdictFolder(verdicts);
  const [row] = await rowsOf(
    await connected(),
    `SELECT reasons FROM read_json('${dir}/verdicts.ndjson') WHERE decision = 'BLOCK'`,
  );

  expect(JSON.stringify(row)).toContain("mimics_user");
  expect(JSON.stringify(row)).not.toContain("resembles");
});

test("DuckDB opens the objects of the archive by the same view", async () => {
  const [view = "", decisions = ""] = await queries("sql");
  const dir = await verdictFolder([]);
  const folder = path.join(dir, "archive/v1/verdicts/dt=2026-01-01/p=00000");
  await mkdir(folder, { recursive: true });
  const lines = [verdictAt(1), blocked].map((verdict) => `${JSON.stringify(verdict)}\n`).join("");
  await writeFile(path.join(folder, "0.ndjson.gz"), gzipSync(lines));
  await writeFile(path.join(folder, "0.meta.json"), "{}");
  const connection = await connected();
  await connection.run(view.replace("'day/verdicts.ndjson'", `'${dir}/archive/v1/verdicts/*/*/*.ndjson.gz'`));

  expect((await rowsOf(connection, decisions)).map((row) => row["decision"]).toSorted()).toEqual(["ALLOW", "BLOCK"]);
  expect(await rowsOf(connection, "SELECT DISTINCT dt::VARCHAR AS dt, p::VARCHAR AS p FROM verdicts")).toEqual([
    { dt: "2026-01-01", p: expect.stringMatching(/^0+$/) },
  ]);
});

test("jq answers the filters", async () => {
  const [block = "", missing = ""] = await queries("jq");
  const lines = [verdicts[2], blocked].map((verdict) => JSON.stringify(verdict)).join("\n");

  expect(await raw(lines, block, ["-r"])).toBe(`${SAMPLE + 500},"${fake}","mimics_user","${real}"`);
  expect(await raw(lines, missing, ["-r"])).toBe("events.ndjson/2");
});
