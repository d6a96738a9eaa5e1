import { z } from "zod";
import { verdictAvroSchema } from "../../../adapters/schema-registry/verdicts/verdict-avro-schema.ts";
import { openApiDocument } from "../../../api/openapi.ts";
import { PolicyFile, type PolicyTable } from "../../../policy/policy.ts";
import { version } from "../../program/package-root.ts";
import { DialectFile } from "../../service-connection/dialect-file.ts";
import { configSchema } from "./config-schema.ts";
import { configurationPage } from "./configuration-page.ts";
import { envExample } from "./env-example.ts";
import { jsonSchemas } from "./json-schemas.ts";
import { verdictsPage } from "./verdicts-page.ts";

const VERDICTS = "docs/verdicts.md";

/**
 * Every checked-in file that is printed from code, by path. A test compares them with the checked-in files.
 *
 * @param read returns the text of a file of the repository.
 */
export function printedDocs(read: (file: string) => string): ReadonlyMap<string, string> {
  const files = new Map<string, string>([["openapi.json", json(openApiDocument(version))]]);
  for (const [name, schema] of Object.entries(jsonSchemas())) files.set(`docs/schemas/${name}`, json(schema));
  files.set("docs/schemas/verdict.avsc", json(verdictAvroSchema));
  files.set("docs/schemas/dialect.schema.json", json(z.toJSONSchema(DialectFile, { io: "input" })));
  files.set("docs/schemas/config.schema.json", json(configSchema()));
  files.set("deploy/weir.env.example", envExample());
  files.set("docs/configuration.md", configurationPage());
  const { tables } = PolicyFile.parse(JSON.parse(read("data/policy.json")));
  const shown = { default: tableIn(tables, "default"), strict: tableIn(tables, "strict") };
  return files.set(VERDICTS, verdictsPage(read(VERDICTS), shown));
}

function tableIn(tables: Readonly<Record<string, PolicyTable>>, name: string): PolicyTable {
  const table = tables[name];
  if (table === undefined) throw new Error(`data/policy.json has no table ${name}`);
  return table;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
