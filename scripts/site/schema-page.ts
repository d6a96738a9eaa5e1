import { json } from "./api-page.ts";

/** The page of a JSON Schema. @param name such as `event.schema.json`. */
export function schemaPage(name: string, text: string): string {
  const title = name.replace(".schema.json", "");
  return [
    `# Schema: ${title}`,
    `The JSON Schema of ${title === "event" ? "an event" : `a ${title}`}. [${name}](/schemas/${name}){target=_self} is the file itself.`,
    json(JSON.parse(text)),
  ].join("\n\n");
}
