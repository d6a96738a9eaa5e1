/**
 * No object literal spreads an instance of a class, and no pattern takes the rest of one. Accessors and methods live on
 * the prototype, so the copy lacks them. A deadline was lost like this, because a Kafka record gives its revision and
 * lane by accessors.
 *
 * The check reads the text of the sources. It finds a spread value by its declaration in the same file: `name: Type`,
 * or `name = new Type(...)`. It does not see results of calls, variables without a declared type, types inside another
 * type's braces, or template texts. It does not see values of library classes or values behind a cast either. Equal
 * names in different scopes may give a false report.
 */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { classSpreads } from "../support/class-spreads.ts";

const files = globSync("src/**/*.ts").map((file) => file.split(path.sep).join("/"));

test("no source spreads an instance of a class", () => {
  const spreads = classSpreads(new Map(files.map((file) => [file, readFileSync(file, "utf8")])));

  expect(spreads.map(({ file, line, what }) => `${file}:${line} ${what}: name the fields`)).toEqual([]);
});

const declared = `
interface Parent { readonly deadline: number }
export interface Item extends Parent {
  readonly revision: number;
}
interface Plain {
  readonly revision: number;
}
class Event implements Item {
  readonly deadline = 1;
  get revision() { return 0; }
}
class Data implements Plain {
  readonly revision = 1;
}
type Short = Pick<Item, "revision">;
`;
const found = (code: string) => classSpreads(new Map([["src/a.ts", declared + code]])).map(({ what }) => what);

test.each([
  "const copy = (item: Item) => ({ ...item, ticket: 1 });",
  "const copy = (event: Event) => ({ a: 1, ...event });",
  "const copy = (short: Short) => ({ ...short });",
  "const copy = (item?: Partial<Item>) => ({ ...item });",
  "const copy = (item: Item | undefined) => ({ a: [1, { b: 2 }], ...item });",
  "class Screening { readonly #item: Item; copy() { return { ...this.#item }; } }",
  "const copy = (of: { readonly item: Item }) => ({ ...of.item });",
  "const event = new Event(); const copied = { ...event };",
  "const rest = ({ revision, ...others }: Item) => others;",
  "function rest(item: Item) { const { revision, ...others } = item; return others; }",
  "class Event2 { copy() { return { ...this }; } }",
])("the search finds %s", (code) => {
  expect(found(code)).toHaveLength(1);
});

test.each([
  "const copy = (plain: Plain) => ({ ...plain, ticket: 1 });",
  "const copy = (data: Data) => ({ ...data });",
  "const all = (items: readonly Item[]) => [...items, 1];",
  "const call = (items: readonly Item[]) => Math.max(...items);",
  "const copy = (items: readonly Item[]) => ({ ...items });",
  "const named = (item: Item) => ({ revision: item.revision });",
  "// const copy = (item: Item) => ({ ...item });",
  'const text = "{ ...item }"; const item: Item = text;',
])("the search accepts %s", (code) => {
  expect(found(code)).toEqual([]);
});

test("a type is the imported type, not another type of that name", () => {
  const copy = "const copy = (item: Item) => ({ ...item });";
  const spreads = classSpreads(
    new Map([
      ["src/a.ts", declared],
      ["src/b.ts", `import { type Item } from "./a.ts";\n${copy}`],
      ["src/c.ts", `interface Item {\n  readonly revision: number;\n}\n${copy}`],
    ]),
  );

  expect(spreads).toEqual([{ file: "src/b.ts", line: 2, what: "...item: Item" }]);
});
