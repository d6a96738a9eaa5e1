import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { writeRejects } from "../../../../src/adapters/files/output/reject-file.ts";
import { keepRejects, Rejects } from "../../../../src/cli/screen/rejects.ts";
import type { Verdict } from "../../../../src/messages/verdict.ts";
import { emptyFolder } from "../../../support/folder.ts";

function verdictOn(line: number, code: "EVENT_MALFORMED" | "SERVICE_UNAVAILABLE" | undefined): Verdict {
  const check = { check: "poisoning", cached: false, attempts: 0 } as const;
  const failed = {
    ...check,
    outcome: "failed",
    error: { code: code ?? "ITEM_FAILED", detail: `fault ${line}` },
  } as const;
  return {
    decision: code === undefined ? "ALLOW" : "UNKNOWN",
    reasons: [],
    checks: [code === undefined ? { ...check, outcome: "ok", data: {} } : failed],
    source: { file: "a.csv", line },
  } as unknown as Verdict;
}

test("a reject is a row whose input is at fault, until a later revision has its answer", () => {
  const rejects = new Rejects();
  rejects.add(verdictOn(2, "EVENT_MALFORMED"));
  rejects.add(verdictOn(3, "SERVICE_UNAVAILABLE"));
  rejects.add(verdictOn(4, undefined));
  rejects.add(verdictOn(5, "EVENT_MALFORMED"));
  rejects.add(verdictOn(5, undefined));

  expect([...rejects.reasons]).toEqual([[2, "EVENT_MALFORMED: fault 2"]]);
});

describe("rejects.csv", () => {
  async function written(
    name: string,
    content: string,
    reasons: readonly (readonly [number, string])[],
    isCsv: boolean,
  ) {
    const folder = await emptyFolder();
    const input = path.join(folder, name);
    await writeFile(input, content);
    const file = path.join(folder, "rejects.csv");
    await writeRejects(file, input, new Map(reasons), isCsv);
    return readFile(file, "utf8");
  }

  test("holds line, reason and the row's own columns, also of a row over several lines", async () => {
    const content = '\uFEFF"To";"Memo; free"\nx;1\n"a\nb";"say ""hi"""\nz;2\n';

    expect(
      await written(
        "a.csv",
        content,
        [
          [3, "bad, truly"],
          [2, "no"],
        ],
        true,
      ),
    ).toBe('line,reason,To,Memo; free\n2,no,x,1\n3,"bad, truly","a\nb","say ""hi"""\n');
  });

  test("holds a row of any other file as one cell", async () => {
    expect(await written("a.txt", "one\ntwo\n", [[2, "no address"]], false)).toBe(
      "line,reason,row\n2,no address,two\n",
    );
  });

  test("is absent without rejects, also when an earlier run had some", async () => {
    const out = await emptyFolder();
    const input = path.join(out, "a.txt");
    await writeFile(input, "one\n");
    const defaults = { users: [] };
    const rejects = new Rejects();
    rejects.add(verdictOn(1, "EVENT_MALFORMED"));

    expect(await keepRejects(out, { path: input, defaults }, rejects)).toBe(path.join(out, "rejects.csv"));
    rejects.add(verdictOn(1, undefined));
    expect(await keepRejects(out, { path: input, defaults }, rejects)).toBeUndefined();
    await expect(readFile(path.join(out, "rejects.csv"))).rejects.toThrow("ENOENT");
  });
});
