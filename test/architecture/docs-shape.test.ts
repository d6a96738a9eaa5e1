/** The documents keep their promised size, and what they quote is what the code does. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { chains } from "../../src/chains/registry.ts";
import { areaOf } from "../../src/cli/config/docs/configuration-page.ts";
import { envRows, variableNames } from "../../src/cli/config/docs/env-table.ts";
import { failureCodes, Verdict } from "../../src/messages/verdict.ts";
import { linksIn } from "../support/markdown.ts";

const read = (file: string) => readFileSync(file, "utf8");
const readme = read("README.md");
const lineCount = (text: string) => text.trimEnd().split("\n").length;
const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, code = ""]) => code);

describe("README", () => {
  test("the page has at most 200 lines", () => expect(lineCount(readme)).toBeLessThanOrEqual(200));

  test("the number of chains is right", () => {
    const count = chains.filter(({ family }) => family === "evm").length;

    expect(readme).toContain(`${count} EVM chains`);
    expect(read("CHANGELOG.md")).toContain(`${count} EVM chains`);
  });

  test("the decisions of the demo are those that its sources expect", () => {
    const counts = ["BLOCK", "WARN", "ALLOW", "UNKNOWN"].map(
      (decision) => new RegExp(`^${decision} +(\\d+)$`, "m").exec(readme)?.[1],
    );
    const [, ...expected] =
      /(\d+) to be blocked, (\d+) to be warned of, (\d+) to be allowed, (\d+) that must/.exec(
        read("demo/SOURCES.md"),
      ) ?? [];

    expect(expected).toHaveLength(4);
    expect(counts).toEqual(expected);
  });

  test("the shown verdict fits the schema of verdicts", () => {
    const [shown = ""] = blocks(readme, "jsonc");
    const verdict: unknown = JSON.parse(shown.replace(/\s\/\/ .*$/gm, ""));

    expect(Verdict.safeParse(verdict).error).toBeUndefined();
    expect(new Set(Object.keys(Object(verdict)))).toEqual(
      new Set(Object.keys(Verdict.shape).filter((key) => !optional.has(key))),
    );
  });

  test("the shown consumer is the one in examples", () => {
    expect(blocks(readme, "js")).toEqual([read("examples/verdict-consumer.mjs")]);
  });

  test("each variable of the first day exists, and its default is true", () => {
    const rows = [...readme.matchAll(/^\| (`[A-Z][^|]*) \| ([^|]*) \| [^|]* \|$/gm)];
    const fallbacks = Map.groupBy(envRows(), ({ name }) => name);
    const wrong = rows.flatMap(([, names = "", shown = ""]) =>
      [...names.matchAll(/`([A-Z_0-9]+)`/g)].filter(([, name = ""]) => {
        const known = (fallbacks.get(name) ?? []).map(({ fallback }) => fallback);
        return (
          known.length === 0 ||
          (/^`[^`/]+`$/.test(shown) ? !known.includes(shown.slice(1, -1)) : known.some((each) => each !== ""))
        );
      }),
    );

    expect(rows.length).toBeGreaterThanOrEqual(12);
    expect(wrong).toEqual([]);
  });

  test("each script and each file of its commands exists", () => {
    const { scripts } = JSON.parse(read("package.json"));
    const commands = blocks(readme, "").join("\n");

    for (const [, script = ""] of readme.matchAll(/npm run (?:-s )?([\w:-]+)/g)) expect(scripts).toHaveProperty(script);
    for (const [, file = ""] of commands.matchAll(/\b((?:examples|demo)\/[\w.-]+)/g))
      expect(existsSync(file), file).toBe(true);
  });
});

const optional = new Set(["unanswered", "lists", "ref", "reduced"]);

describe("ARCHITECTURE", () => {
  const page = read("ARCHITECTURE.md");

  test("the page has at most 200 lines and 25 paths", () => {
    const code = [...page.matchAll(/`([^`\n]+)`/g)]
      .map(([, text = ""]) => text)
      .filter((text) => /\//.test(text) && !text.startsWith("@"));
    const paths = new Set([...code, ...linksIn(page).map(({ target }) => target.split("#")[0] ?? "")]);

    expect(lineCount(page)).toBeLessThanOrEqual(200);
    expect(paths.size).toBeLessThanOrEqual(25);
    expect(code.filter((each) => !existsSync(each))).toEqual([]);
  });

  test("its table of imports is the one that is enforced", () => {
    const enforced = read("test/architecture/imports.test.ts");
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \| ([^|]*) \|/gm)].map(([, name = "", allowed = ""]) => [
      name,
      allowed.trim(),
    ]);
    const all = rows.map(([name]) => name);

    expect(all).toEqual([
      "kernel",
      "chains",
      "labels",
      "api",
      "messages",
      "policy",
      "worker",
      "archive",
      "evm-analysis",
      "service",
      "adapters",
      "cli",
    ]);
    for (const [name = "", allowed = ""] of rows.slice(1, -2)) {
      const list = allowed
        .split(", ")
        .map((each) => `"${each}"`)
        .join(", ");
      const key = name.includes("-") ? `"${name}"` : name;
      expect(enforced).toContain(`  ${key}: [${list}],`);
    }
  });
});

test("the changelog begins with 0.1.0 and has at most 40 lines", () => {
  const page = read("CHANGELOG.md");

  expect(page.match(/^## .*$/m)?.[0]).toMatch(/^## 0\.1\.0/);
  expect(lineCount(page)).toBeLessThanOrEqual(40);
});

test.each(["0005-pooling", "0006-pacing"])("decision %s has context, decision and price in 60 lines", (name) => {
  const page = read(`docs/decisions/${name}.md`);

  expect(lineCount(page)).toBeLessThanOrEqual(60);
  expect([...page.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(["Context", "Decision", "Price"]);
});

test("every variable has an area on the configuration page, and one row", () => {
  const page = read("docs/configuration.md");

  expect(variableNames().filter((name) => areaOf(name) < 0)).toEqual([]);
  expect([...page.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, name]) => name).toSorted()).toEqual(
    [...variableNames()].toSorted(),
  );
});

test("docs/verdicts.md has each failure code", () => {
  const page = read("docs/verdicts.md");

  expect(failureCodes.filter((code) => !page.includes(`| \`${code}\` |`))).toEqual([]);
});

test("every test that guarantees name exists, and every guarantee names one", () => {
  const rows = read("docs/guarantees.md")
    .split("\n")
    .filter((line) => /^\| (?!invariant|---)/.test(line));
  const named = rows.map((row) => [...row.matchAll(/`((?:test|bench)\/[\w./-]+)`/g)].map(([, file = ""]) => file));

  expect(rows.length).toBeGreaterThan(80);
  expect(rows.filter((row, at) => named[at]?.length === 0 && !row.endsWith("| the same tests |"))).toEqual([]);
  expect(named.flat().filter((file) => globSync(`${file}*`).length === 0)).toEqual([]);
});

test("performance has ten figures, each with command and date", () => {
  const rows = [
    ...read("docs/performance.md").matchAll(/^\| [^|]+ \| [^|]+ \| `(node [^`]+)` \| \d{4}-\d\d-\d\d[^|]* \|$/gm),
  ];

  expect(rows.length).toBe(10);
  expect(rows.map(([, command = ""]) => command.split(" ")[1] ?? "").filter((file) => !existsSync(file))).toEqual([]);
});
