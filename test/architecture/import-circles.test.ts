/** No file imports itself by way of others, not even for a type: files in a circle can only be read together. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const files = globSync("src/**/*.ts").map((file) => file.split(path.sep).join("/"));
const imports = new Map(files.map((file) => [file, importsOf(file, readFileSync(file, "utf8"))]));

test("the scan sees the tree", () => {
  expect(files.length).toBeGreaterThan(500);
  expect([...imports.values()].flat().length).toBeGreaterThan(2_000);
});

test("no import leads back to its own file", () => {
  expect(circles(imports)).toEqual([]);
});

test("a circle of three files is found", () => {
  const found = circles(new Map(Object.entries({ a: ["b"], b: ["c", "d"], c: ["a"], d: [] })));

  expect(found).toEqual([["a", "b", "c", "a"]]);
});

function importsOf(file: string, text: string): readonly string[] {
  return [...text.matchAll(/\bfrom\s+"(\.[^"]+)"/g)].map(([, specifier = ""]) =>
    path.posix.join(path.posix.dirname(file), specifier),
  );
}

/** Each circle once, from the file that is met first. */
function circles(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const found: string[][] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (file: string) => {
    if (done.has(file)) return;
    const begun = way.indexOf(file);
    if (begun !== -1) {
      found.push([...way.slice(begun), file]);
      return;
    }
    way.push(file);
    for (const next of graph.get(file) ?? []) visit(next);
    way.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return found;
}
