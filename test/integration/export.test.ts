import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { verdictColumns } from "../../src/archive/export/flat-verdict.ts";
import { emptyFolder } from "../support/folder.ts";
import { verdictsIn } from "../support/verdicts.ts";
import { run } from "../support/weir.ts";

const fake = "0xd9A1C3788D81257612E2581A6ea0aDa244853a91";
const real = "0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91";

async function exported(...flags: readonly string[]) {
  const folder = await emptyFolder();
  const [input, out, tables] = [path.join(folder, "events.csv"), path.join(folder, "out"), path.join(folder, "tables")];
  await writeFile(
    input,
    `id,chain,address,users,tenant,ref\nfirst,eth,${fake},${real},desk,"a ""quoted"", ref"\nsecond,eth,${real},${real},,\nthird,nowhere,${real},,,\n`,
  );
  expect(await run(["screen", input, "--out", out])).toMatchObject({ status: 2 });
  const result = await run(["export", out, "--out", tables, ...flags]);
  return { out, tables, result };
}

async function queried(sql: string): Promise<readonly Record<string, unknown>[]> {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson() as Record<string, unknown>[];
  } finally {
    connection.closeSync();
  }
}

const files = (tables: string) => `read_parquet('${tables}/v1/*/*/*/*.parquet', hive_partitioning = true)`;

test("DuckDB reads every column of an export as the verdicts have it", async () => {
  const { out, tables, result } = await exported();
  expect(result).toMatchObject({ status: 0, stdout: expect.stringMatching(/^3 verdicts in 1 new file below /) });
  const rows = await queried(
    `SELECT * REPLACE (epoch_ms(decided_at) AS decided_at) FROM ${files(tables)} ORDER BY source_line`,
  );
  const verdicts = await verdictsIn(out);
  expect(rows).toHaveLength(verdicts.length);
  for (const [i, verdict] of verdicts.entries())
    for (const { name, read } of verdictColumns) {
      const value = read(verdict);
      const shown = typeof value === "bigint" ? String(value) : (value ?? null);
      const got = rows[i]?.[name];
      expect(typeof got === "string" && typeof shown === "number" ? Number(got) : got, name).toEqual(shown);
    }
  expect(rows[0]).toMatchObject({
    event_id: "first",
    tenant: "desk",
    decision: "BLOCK",
    ref: String.raw`"a \"quoted\", ref"`,
  });
  expect(Object.keys(rows[0] ?? {})).toEqual(expect.arrayContaining(["dt", "p"]));
});

test("the query of the documents gives one row a verdict, and its types are those of the table", async () => {
  const { tables } = await exported();
  const document = await readFile("docs/archive.md", "utf8");
  const sql = /```sql\n([\s\S]*?)```/.exec(document)?.[1]?.replaceAll("tables/v1", `${tables}/v1`) ?? "";
  expect(await queried(sql)).toHaveLength(3);
  const described = await queried(`DESCRIBE SELECT * FROM ${files(tables)}`);
  const types = { STRING: "VARCHAR", INT32: "INTEGER", INT64: "BIGINT", BOOLEAN: "BOOLEAN", TIMESTAMP: "TIMESTAMP" };
  const typeOf = new Map(described.map((row) => [row["column_name"], String(row["column_type"])]));
  for (const { name, type, isPersonal, description } of verdictColumns) {
    expect(typeOf.get(name), name).toBe(types[type]);
    expect(document).toContain(
      `| \`${name}\`${isPersonal === true ? " *" : ""} | ${type} | ${description.replace(/\.$/, "")} |`,
    );
  }
});

test("an export goes on where it ended, gives equal bytes, and --redact leaves out data of customers", async () => {
  const { out, tables } = await exported();
  expect((await run(["export", out, "--out", tables])).stdout).toMatch(
    /^0 verdicts in 0 new files .*, 1 were there\n$/,
  );
  const [file = ""] = (
    await queried(`SELECT DISTINCT filename FROM read_parquet('${tables}/v1/*/*/*/*.parquet', filename = true)`)
  ).map(({ filename }) => String(filename));
  const second = path.join(path.dirname(out), "second");
  await run(["export", out, "--out", second]);
  expect(await readFile(file.replace(tables, second))).toEqual(await readFile(file));

  const redacted = path.join(path.dirname(out), "redacted");
  await run(["export", out, "--out", redacted, "--redact"]);
  const bytes = await readFile(file.replace(tables, redacted), "latin1");
  const [row = {}] = await queried(`SELECT * FROM ${files(redacted)}`);
  expect(Object.keys(row)).not.toEqual(expect.arrayContaining(["event_id"]));
  expect(Object.keys(row)).not.toContain("ref");
  for (const text of ["quoted", "second"]) expect(bytes.includes(text)).toBe(false);
});
