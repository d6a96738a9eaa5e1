import { z } from "zod";
import { isList, isSecret } from "../env/setting-traits.ts";
import { settingArea } from "../setting-areas.ts";
import { configurableCommands, envRows, settingsOf } from "./env-table.ts";

/** The JSON Schema of a config file. `npm run docs` prints it, and so does `weir config schema`. */
export function configSchema(): object {
  const choices = choicesBySetting();
  const properties: Record<string, object> = {};
  const rows = envRows().filter(({ name }) => name !== "WEIR_CONFIG");
  for (const { name, description, fallback } of rows) {
    if (properties[name] !== undefined) continue;
    const isSame = rows.every((row) => row.name !== name || row.fallback === fallback);
    properties[name] = {
      description: `${settingArea(name)}: ${description}`,
      ...(fallback !== "" && isSame ? { default: fallback } : {}),
      ...valueSchema(name, choices.get(name)),
    };
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Config file of Weir",
    description:
      "Settings by the names of their environment variables. A variable of the environment replaces a setting of the file.",
    type: "object",
    additionalProperties: false,
    properties,
  };
}

/** Values of settings that allow a few words only. */
function choicesBySetting(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const command of configurableCommands()) {
    const schema = settingsOf(command);
    if (schema === undefined) continue;
    const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    for (const [name, property] of Object.entries(properties)) {
      const { enum: values } = Object(property);
      if (Array.isArray(values)) found.set(name, values.map(String));
    }
  }
  return found;
}

function valueSchema(name: string, choices: readonly string[] | undefined): object {
  // YAML reads true as a truth value, and a schema compares values of the same kind only.
  if (choices !== undefined)
    return {
      enum: choices.flatMap((text) => (text === "true" || text === "false" ? [text === "true", text] : [text])),
    };
  const text = { type: ["string", "number", "boolean", "null"] };
  const list = { type: "array", items: { type: ["string", "number"] } };
  const file = {
    type: "object",
    properties: { file: { type: "string", description: "File with the value." } },
    required: ["file"],
    additionalProperties: false,
  };
  const forms = [text, ...(isList(name) ? [list] : []), ...(isSecret(name) ? [file] : [])];
  return forms.length === 1 ? text : { anyOf: forms };
}
