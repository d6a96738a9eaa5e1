import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { emptyFolder } from "../support/folder.ts";
import { run } from "../support/weir.ts";

const EXAMPLE = { file: "examples/service-adapter/adapter.mjs", cases: "examples/service-adapter/cases" };
const BATCH = { file: "test/fixtures/adapters/batch.mjs", cases: "test/fixtures/adapters/batch-cases" };
const env = { SERVICE_LEVELS: "low=INFO,high=BLOCK", SERVICE_TAXES: "percent" };

const check = (file: string, cases: string) => run(["adapter", "check", file, "--cases", cases, "--quiet"], env);

test.each([EXAMPLE, BATCH])("$file passes", async ({ file, cases }) => {
  const { status, stdout, stderr } = await check(file, cases);

  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^\d+ passed, 0 failed\n$/);
});

/** The output of the check on an adapter in which each text of `changes` is replaced. */
async function broken({ file, cases }: typeof EXAMPLE, changes: readonly (readonly [string, string])[]) {
  let text = await readFile(file, "utf8");
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  const changed = path.join(await emptyFolder(), "adapter.mjs");
  await writeFile(changed, text);
  return check(changed, cases);
}

const score = 'if (typeof score !== "number" || score < 0 || score > 100 || !Array.isArray(found)) return null;';

describe("the check finds a faulty adapter", () => {
  test.each<[string, typeof EXAMPLE, readonly (readonly [string, string])[], RegExp]>([
    [
      "that takes a missing score for 0",
      EXAMPLE,
      [[score, "score ??= 0; found ??= [];"]],
      /FAIL {2}risk-clean\.json: no score {2}0xd9a1\S+ is ALLOW: .* -> take the answer for unknown without score/,
    ],
    [
      "that takes a score of another type",
      EXAMPLE,
      [
        [score, "if (score === undefined || score === null || !Array.isArray(found)) return null;"],
        ["score <= HARMLESS_TO && ", "!(score > HARMLESS_TO) && "],
      ],
      /FAIL {2}risk-clean\.json: another type in score .* is ALLOW/,
    ],
    [
      "that clears whatever it does not know",
      EXAMPLE,
      [["categories[each] === false) ? false : null", "categories[each] !== true) ? false : null"]],
      /FAIL {2}risk-new-category\.json {2}.* is ALLOW: .* -> expected UNKNOWN/,
    ],
    [
      "that answers with the address that was asked",
      EXAMPLE,
      [
        [
          "function riskAnswer({ body }, { chain, users, token })",
          "function riskAnswer({ body }, { chain, address, users, token })",
        ],
        [
          "    address: body.address,\n    is_poisoning: accused(body)",
          "    address,\n    is_poisoning: accused(body)",
        ],
      ],
      /FAIL {2}risk-clean-token\.json: an answer about another address than 0xd9a1\S+ {2}\S+ is ALLOW/,
    ],
    [
      "that takes every body of a token for a clean one",
      EXAMPLE,
      [
        ["const { flags = {}, tax = {} } = body;", "const { flags, tax = {} } = { flags: {}, ...body };"],
        ["is_honeypot: flags.honeypot", "is_honeypot: flags.honeypot === true"],
      ],
      /FAIL {2}token-clean\.json: no flags\.honeypot .* is ALLOW/,
    ],
    [
      "that clears a refusal",
      EXAMPLE,
      [['{ failure: "unknown", detail: "address never seen" }', "{ address: '', is_poisoning: false }"]],
      /FAIL {2}risk-never-seen\.json .*a refusal is no answer/,
    ],
    [
      "that sends a request of its own",
      EXAMPLE,
      [
        ["export function adapter() {", "let base;\nexport function adapter({ baseUrl }) {\n  base = baseUrl;"],
        ["  const query = { compare", "  fetch(base + '/count').catch(() => {});\n  const query = { compare"],
      ],
      /FAIL {2}requests {2}\d+ questions made \d+ requests: \d+ too many .* -> send nothing from an adapter/,
    ],
    [
      "that is asynchronous",
      EXAMPLE,
      [["function simulationAnswer(", "async function simulationAnswer("]],
      /FAIL {2}transaction-safe\.json .*it returned a promise/,
    ],
    [
      "that asks elsewhere than was recorded",
      EXAMPLE,
      [["path: `/tokens/", "path: `/token/"]],
      /FAIL {2}token-clean\.json {2}it asked \/token\/ethereum\/0xdac1\S+, not \/tokens\//,
    ],
    [
      "that clears an entry that is missing",
      BATCH,
      [
        ["answer: ({ body }, ", "answer: ({ body }, "],
        [
          "targets: body.results.map((each) => ({",
          "targets: targets.map((asked) => ({ ...asked, poisoning: false, like_known: false, like_exchange: false, ...body.results.find(({ address }) => address === asked.address) })).map((each) => ({",
        ],
        ["answer: ({ body }) => ({\n          targets", "answer: ({ body }, { targets }) => ({\n          targets"],
      ].slice(1) as [string, string][],
      /FAIL {2}two-clean\.json: no entry for 0xd9a1\S+ {2}\S+ is ALLOW/,
    ],
    [
      "that drops an entry",
      BATCH,
      [["targets: body.results.map(", "targets: body.results.slice(1).map("]],
      /FAIL {2}two-clean\.json {2}\S+ is UNKNOWN: .* -> expected ALLOW/,
    ],
    [
      "that keeps the last of two entries",
      BATCH,
      [
        [
          "targets: body.results.map(",
          "targets: [...new Map(body.results.map((each) => [each.address, each])).values()].map(",
        ],
      ],
      /FAIL {2}two-clean\.json: an unreadable twin before the entry for 0xd9a1\S+ {2}\S+ is ALLOW/,
    ],
  ])("the check finds an adapter %s", async (_what, adapter, changes, told) => {
    const { status, stdout, stderr } = await broken(adapter, changes);

    expect([status, stderr]).toEqual([2, ""]);
    expect(stdout).toMatch(told);
  });
});

test("an operation without a clearing case proves nothing, and needs must be named", async () => {
  const folder = await emptyFolder();
  const clean = JSON.parse(await readFile(path.join(EXAMPLE.cases, "risk-clean.json"), "utf8"));
  await writeFile(path.join(folder, "clean.json"), JSON.stringify({ ...clean, needs: [] }));
  await writeFile(path.join(folder, "none.json"), JSON.stringify({ ...clean, operation: "address-classify" }));

  const { status, stdout } = await check(EXAMPLE.file, folder);

  expect(status).toBe(2);
  expect(stdout).toContain("FAIL  token-security  no case expects ALLOW");
  expect(stdout).toContain("FAIL  clean.json  needs is empty  -> name the fields");
  expect(stdout).toContain("FAIL  none.json  the adapter has no operation address-classify");
});

test("an unreadable file is reported, with status 1", async () => {
  const { status, stderr } = await check("./none.mjs", EXAMPLE.cases);
  expect([status, stderr]).toEqual([1, expect.stringContaining("weir: ./none.mjs: there is no such file")]);

  const folder = await emptyFolder();
  const clean = JSON.parse(await readFile(path.join(EXAMPLE.cases, "risk-clean.json"), "utf8"));
  await writeFile(path.join(folder, "a.json"), JSON.stringify({ ...clean, question: { chain: "1", adress: "0x" } }));
  const odd = await check(EXAMPLE.file, folder);
  expect([odd.status, odd.stderr]).toEqual([1, expect.stringContaining("a.json: question.")]);
});
