import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { keepConditions } from "../../../src/cli/run-conditions.ts";
import { OutputUnwritableError } from "../../../src/kernel/errors.ts";
import { emptyFolder } from "../../support/folder.ts";

const begun = { policy: "p", service: "embedded", labels: "l" };
const text = (labels: string) =>
  `${JSON.stringify({ schema: "weir.run/1", policy: "p", service: "embedded", labels }, undefined, 2)}\n`;
const runFile = (folder: string) => readFile(path.join(folder, "run.json"), "utf8");

test("the conditions of a run that begins are kept, and nothing else is left", async () => {
  const folder = await emptyFolder();

  expect(await keepConditions(folder, begun)).toEqual({ sameLabels: true });

  expect(await runFile(folder)).toBe(text("l"));
  expect(await readdir(folder)).toEqual(["run.json"]);
});

test("other labels are told once, and kept", async () => {
  const folder = await emptyFolder();
  await keepConditions(folder, begun);

  expect(await keepConditions(folder, { ...begun, labels: "m" })).toEqual({ sameLabels: false });
  expect(await keepConditions(folder, { ...begun, labels: "m" })).toEqual({ sameLabels: true });

  expect(await runFile(folder)).toBe(text("m"));
  expect(await readdir(folder)).toEqual(["run.json"]);
});

test("a file that a killed run left half written is in nobody's way", async () => {
  const folder = await emptyFolder();
  await writeFile(path.join(folder, `run.json.${process.pid}.tmp`), '{"schema"');
  await writeFile(path.join(folder, "run.json.1.tmp"), '{"schema"');

  expect(await keepConditions(folder, begun)).toEqual({ sameLabels: true });

  expect(await runFile(folder)).toBe(text("l"));
});

describe("a run does not go on", () => {
  const refusal = async (folder: string, conditions = begun) => {
    const keeping = keepConditions(folder, conditions);
    await expect(keeping).rejects.toBeInstanceOf(OutputUnwritableError);
    return keeping.catch((error: Error) => error.message.replaceAll(folder, "DIR"));
  };

  test.each([
    [{ ...begun, policy: "q" }, "with another policy file"],
    [{ ...begun, service: "http://a" }, "by the service embedded, not http://a"],
  ])("under %j", async (conditions, how) => {
    const folder = await emptyFolder();
    await keepConditions(folder, begun);

    expect(await refusal(folder, conditions)).toBe(
      `the verdicts here were begun ${how} (DIR/run.json): choose another --out, or put it back`,
    );
    expect(await runFile(folder)).toBe(text("l"));
  });

  test("from verdicts that do not say how they were begun", async () => {
    const folder = await emptyFolder();
    await writeFile(path.join(folder, "verdicts.ndjson"), "{}\n");

    expect(await refusal(folder)).toBe("DIR holds verdicts without run.json: choose another --out");
    expect(await readdir(folder)).toEqual(["verdicts.ndjson"]);
  });

  test("from verdicts that cannot be looked at", async () => {
    const folder = await emptyFolder();
    await symlink("verdicts.ndjson", path.join(folder, "verdicts.ndjson"));

    expect(await refusal(folder)).toMatch(/^cannot look at DIR\/verdicts\.ndjson: ELOOP: .*: choose another --out$/);
  });

  test.each(["", "{", "{}", text("l").slice(0, 40)])("from conditions that cannot be read: %j", async (content) => {
    const folder = await emptyFolder();
    await writeFile(path.join(folder, "run.json"), content);

    expect(await refusal(folder)).toBe("DIR/run.json cannot be read as the conditions of a run: choose another --out");
  });

  test("where it cannot write", async () => {
    const folder = await emptyFolder();
    await mkdir(path.join(folder, `run.json.${process.pid}.tmp`));

    expect(await refusal(folder)).toMatch(/^cannot write DIR\/run\.json: EISDIR: .*: choose another --out$/);
  });
});

test("a file of verdicts that holds none begins a run", async () => {
  const folder = await emptyFolder();
  await writeFile(path.join(folder, "verdicts.ndjson"), "");

  expect(await keepConditions(folder, begun)).toEqual({ sameLabels: true });
});
