import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { keepConditions } from "../../../../src/cli/screen/run-conditions.ts";
import { OutputUnwritableError } from "../../../../src/kernel/errors.ts";
import type { CheckEntry, Verdict } from "../../../../src/messages/verdict.ts";
import { emptyFolder } from "../../../support/folder.ts";

const begun = { policy: "p", service: "embedded", labels: "l" };
const text = (labels: string) =>
  `${JSON.stringify({ schema: "weir.run/1", policy: "p", service: "embedded", labels }, undefined, 2)}\n`;
const runFile = (folder: string) => readFile(path.join(folder, "run.json"), "utf8");

test("the conditions of a new run are kept, and no other file is left", async () => {
  const folder = await emptyFolder();

  expect(await keepConditions(folder, begun)).toEqual({ sameLabels: true });

  expect(await runFile(folder)).toBe(text("l"));
  expect(await readdir(folder)).toEqual(["run.json"]);
});

test("changed labels are reported once, and kept", async () => {
  const folder = await emptyFolder();
  await keepConditions(folder, begun);
  await writeFile(path.join(folder, "verdicts.ndjson"), "{}\n");

  expect(await keepConditions(folder, { ...begun, labels: "m" })).toEqual({ sameLabels: false });
  expect(await keepConditions(folder, { ...begun, labels: "m" })).toEqual({ sameLabels: true });

  expect(await runFile(folder)).toBe(text("m"));
  expect(await readdir(folder)).toEqual(["run.json", "verdicts.ndjson"]);
});

test("a partial file of a killed run does not block a new run", async () => {
  const folder = await emptyFolder();
  await writeFile(path.join(folder, `run.json.${process.pid}.tmp`), '{"schema"');
  await writeFile(path.join(folder, "run.json.1.tmp"), '{"schema"');

  expect(await keepConditions(folder, begun)).toEqual({ sameLabels: true });

  expect(await runFile(folder)).toBe(text("l"));
});

test("a folder with verdicts of an earlier version on growing rows is refused", async () => {
  const folder = await emptyFolder();
  await keepConditions(folder, begun);
  await writeFile(path.join(folder, "last-rows.json"), '{"schema":"weir.last-rows/1"}\n');

  await expect(keepConditions(folder, begun)).rejects.toThrow(
    /last-rows\.json is of an earlier version, which screened rows before they were whole: choose another --out$/,
  );
});

describe("a run does not continue", () => {
  const refusal = async (folder: string, conditions = begun) => {
    const keeping = keepConditions(folder, conditions);
    await expect(keeping).rejects.toBeInstanceOf(OutputUnwritableError);
    return keeping.catch((error: Error) => error.message.replaceAll(folder, "DIR"));
  };

  test.each([
    [{ ...begun, policy: "q" }, "with another policy file", "verdicts.ndjson"],
    [{ ...begun, service: "http://a" }, "by the service embedded, not http://a", "verdicts.ndjson"],
    [{ ...begun, service: "http://a" }, "by the service embedded, not http://a", "tickets.ndjson"],
  ])("under %j", async (conditions, how, file) => {
    const folder = await emptyFolder();
    await keepConditions(folder, begun);
    await writeFile(path.join(folder, file), "{}\n");

    expect(await refusal(folder, conditions)).toBe(
      `the verdicts here were begun ${how} (DIR/run.json): choose another --out, or put it back`,
    );
    expect(await runFile(folder)).toBe(text("l"));
  });

  test("from verdicts with unknown conditions", async () => {
    const folder = await emptyFolder();
    await writeFile(path.join(folder, "verdicts.ndjson"), "{}\n");

    expect(await refusal(folder)).toBe("DIR holds verdicts without run.json: choose another --out");
    expect(await readdir(folder)).toEqual(["verdicts.ndjson"]);
  });

  test("from verdicts that cannot be read", async () => {
    const folder = await emptyFolder();
    await symlink("verdicts.ndjson", path.join(folder, "verdicts.ndjson"));

    expect(await refusal(folder)).toMatch(/^cannot look at DIR\/verdicts\.ndjson: ELOOP: .*: choose another --out$/);
  });

  test.each(["", "{", "{}", text("l").slice(0, 40)])("from conditions that cannot be read: %j", async (content) => {
    const folder = await emptyFolder();
    await writeFile(path.join(folder, "run.json"), content);

    expect(await refusal(folder)).toBe("DIR/run.json cannot be read as the conditions of a run: choose another --out");
  });

  test("where the conditions cannot be written", async () => {
    const folder = await emptyFolder();
    await mkdir(path.join(folder, `run.json.${process.pid}.tmp`));

    expect(await refusal(folder)).toMatch(/^cannot write DIR\/run\.json: EISDIR: .*: choose another --out$/);
  });
});

test("a run without verdicts allows another service or policy", async () => {
  const folder = await emptyFolder();
  await keepConditions(folder, { policy: "q", service: "http://wrong", labels: "" });
  await writeFile(path.join(folder, "verdicts.ndjson"), "");
  await writeFile(path.join(folder, "tickets.ndjson"), "");

  expect(await keepConditions(folder, begun)).toEqual({ sameLabels: true });

  expect(await runFile(folder)).toBe(text("l"));
});

function unknownBy(checks: readonly CheckEntry[]): Verdict {
  return {
    schema: "weir.verdict/1",
    verdict_id: "00",
    revision: 0,
    event_id: "a/1",
    tenant: "",
    decision: "UNKNOWN",
    reasons: [{ check: "poisoning", finding: "SERVICE_UNAVAILABLE", severity: "UNKNOWN", detail: "no answer" }],
    subject: { type: "unreadable", record_sha256: "00" },
    required_checks: [],
    checks: [...checks],
    policy: { id: "default", sha256: "00" },
    source: { file: "a", line: 1 },
    decided_at: "2026-01-01T00:00:00.000Z",
    software: "weir/test",
  };
}

describe("verdicts of an unreachable service", () => {
  const failed: CheckEntry = {
    check: "poisoning",
    outcome: "failed",
    cached: false,
    attempts: 5,
    error: { code: "SERVICE_UNAVAILABLE", detail: "no answer" },
  };
  const ok: CheckEntry = { check: "token-security", outcome: "ok", cached: false, attempts: 1, data: {} };
  const begunWith = async (...verdicts: readonly (readonly CheckEntry[])[]) => {
    const folder = await emptyFolder();
    await keepConditions(folder, { ...begun, service: "http://wrong" });
    const lines = verdicts.map((checks) => `${JSON.stringify(unknownBy(checks))}\n`);
    await writeFile(path.join(folder, "verdicts.ndjson"), lines.join(""));
    return folder;
  };

  test("do not fix the conditions, since all of them are screened again", async () => {
    const folder = await begunWith([failed], [failed]);

    expect(await keepConditions(folder, begun)).toEqual({ sameLabels: true });

    expect(await runFile(folder)).toBe(text("l"));
  });

  test.each<[string, readonly CheckEntry[]]>([
    ["one check was answered", [failed, ok]],
    ["the input is at fault", [{ ...failed, error: { code: "ADDRESS_INVALID", detail: "why" } }]],
  ])("fix the conditions when %s in one of them", async (_what, checks) => {
    const folder = await begunWith([failed], checks);

    await expect(keepConditions(folder, begun)).rejects.toThrow("begun by the service http://wrong, not embedded");
  });
});

test("an empty file of verdicts begins a run", async () => {
  const folder = await emptyFolder();
  await writeFile(path.join(folder, "verdicts.ndjson"), "");

  expect(await keepConditions(folder, begun)).toEqual({ sameLabels: true });
});
