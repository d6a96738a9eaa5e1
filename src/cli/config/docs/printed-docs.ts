import { z } from "zod";
import { openApiDocument } from "../../../api/openapi.ts";
import { version } from "../../program/package-root.ts";
import { DialectFile } from "../../service-connection/dialect-file.ts";
import { envExample } from "./env-example.ts";
import { envTable } from "./env-table.ts";
import { jsonSchemas } from "./json-schemas.ts";

/** The marks around the table of variables in README.md. */
const START = "<!-- env:start (printed by `npm run docs`) -->";
const END = "<!-- env:end -->";

/** Every checked-in file that is printed from code, by path. A test compares them with the checked-in files. */
export function printedDocs(readme: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>([["openapi.json", json(openApiDocument(version))]]);
  for (const [name, schema] of Object.entries(jsonSchemas())) files.set(`docs/schemas/${name}`, json(schema));
  files.set("docs/schemas/dialect.schema.json", json(z.toJSONSchema(DialectFile, { io: "input" })));
  files.set("deploy/weir.env.example", envExample());
  const [before, rest] = readme.split(START);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error("README.md has lost the marks of its variable table");
  return files.set("README.md", `${before}${START}\n${envTable()}\n${END}${after}`);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
