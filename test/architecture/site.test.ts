/** The pages of the documents' site, without building it: `npm run docs:site` builds it. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { apiPage } from "../../scripts/site/api-page.ts";
import { schemaPage } from "../../scripts/site/schema-page.ts";
import { sidebar, siteConfig } from "../../scripts/site/site-config.ts";
import { siteFile, siteText } from "../../scripts/site/site-files.ts";
import { anchorsIn, linksIn } from "../support/markdown.ts";

const read = (file: string) => readFileSync(file, "utf8");
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .trim()
  .split("\n");

/** Every Markdown page of the site, by its path there. */
const pages = new Map(
  files.flatMap((file) => {
    const page = siteFile(file);
    if (page === undefined || !page.endsWith(".md")) return [];
    if (file.endsWith(".md")) return [[page, siteText(file, read(file))] as const];
    return [
      [page, file === "openapi.json" ? apiPage(read(file)) : schemaPage(path.basename(file), read(file))] as const,
    ];
  }),
);
const titles = new Map([...pages.keys()].map((page) => [page.replace(/\.md$/, ""), page]));

test("the site has the documents, the API and the schemas", () => {
  expect([...pages.keys()]).toEqual(
    expect.arrayContaining([
      "index.md",
      "architecture.md",
      "configuration.md",
      "api.md",
      "schemas/event.md",
      "results/index.md",
      "decisions/0005-pooling.md",
    ]),
  );
  expect(files.filter((file) => /^docs\/.*\.md$/.test(file) && siteFile(file) === undefined)).toEqual([]);
});

test("no link between pages is dead", () => {
  const pictures = new Set(files.flatMap((file) => siteFile(file) ?? []));
  const dead = [...pages].flatMap(([page, text]) =>
    linksIn(text).flatMap(({ target }) => {
      if (/^[a-z]+:/.test(target) || target.startsWith("/")) return [];
      const [at = "", anchor] = target.split("#");
      const linked = at === "" ? page : path.posix.join(path.posix.dirname(page), at);
      const isThere = pages.has(linked) || pictures.has(linked);
      return isThere && (anchor === undefined || anchorsIn(pages.get(linked) ?? "").has(anchor))
        ? []
        : [`${page}: ${target}`];
    }),
  );

  expect(dead).toEqual([]);
});

test("the sidebar has every page once", () => {
  const links = sidebar(titles).flatMap(({ items }) => items.map(({ link }) => link));

  expect(links.length).toBe(titles.size);
  expect(new Set(links)).toEqual(new Set([...titles.keys()].map((page) => `/${page.replace(/(^|\/)index$/, "$1")}`)));
});

test("the site can be searched", () => {
  expect(siteConfig(titles, "out").themeConfig.search).toEqual({ provider: "local" });
});

test("the API page has each operation with its answers, and each schema", () => {
  const { paths, components } = JSON.parse(read("openapi.json"));
  const page = pages.get("api.md") ?? "";

  for (const [at, methods] of Object.entries<object>(paths))
    for (const method of Object.keys(methods)) expect(page).toContain(`### ${method.toUpperCase()} ${at}\n`);
  for (const name of Object.keys(components.schemas)) expect(page).toContain(`### ${name}\n`);
});

describe("the text of a page", () => {
  test.each([
    ["docs/a.md", "[b](b.md#c)", "[b](./b.md#c)"],
    ["docs/a.md", "[b](../README.md)", "[b](./index.md)"],
    ["docs/decisions/a.md", "[b](../../bench/results/README.md)", "[b](./../results/index.md)"],
    ["README.md", "[b](docs/kafka.md)", "[b](./kafka.md)"],
    ["README.md", "[a schema](docs/schemas/event.schema.json)", "[a schema](./schemas/event.md)"],
    ["README.md", "[the\ncode](src/cli/main.ts)", "the\ncode"],
    ["README.md", "[b](https://example.com) [c](#d)", "[b](https://example.com) [c](#d)"],
    ["docs/a.md", "![p](pictures/lanes.svg)", "![p](./pictures/lanes.svg)"],
    ["docs/a.md", "```\n[b](b.md)\n```\n", "```\n[b](b.md)\n```\n"],
    ["docs/a.md", "<!-- a\nb -->\nc", "c"],
  ])("%s: %j becomes %j", (file, text, expected) => {
    expect(siteText(file, text)).toBe(expected);
  });
});
