import { z } from "zod";

const Content = z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })).optional() });
const Parameter = z.object({ name: z.string(), required: z.boolean().optional(), description: z.string().optional() });
const Operation = z.object({
  operationId: z.string(),
  summary: z.string().default(""),
  description: z.string().optional(),
  parameters: z.array(Parameter).default([]),
  requestBody: Content.optional(),
  responses: z.record(z.string(), Content.extend({ description: z.string() })),
});
/** The parts of openapi.json that the page shows. */
const Document = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string().default("") }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

/** The reference of the service's interface, from openapi.json. */
export function apiPage(openapi: string): string {
  const { info, paths, components } = Document.parse(JSON.parse(openapi));
  const operations = Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationSection(`${method.toUpperCase()} ${at}`, operation)),
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) => `### ${name}\n\n${json(schema)}`);
  return [
    `# ${info.title} ${info.version}`,
    info.description,
    "Every operation takes the key in the header `X-API-KEY`. [openapi.json](/openapi.json){target=_self} has the same as OpenAPI 3.1.",
    "## Operations",
    ...operations,
    "## Schemas",
    ...schemas,
  ].join("\n\n");
}

function operationSection(
  title: string,
  { summary, description, parameters, requestBody, responses }: z.infer<typeof Operation>,
): string {
  const answers = Object.entries(responses).map(
    ([status, answer]) => `| ${status} | ${answer.description} | ${schemaOf(answer)} |`,
  );
  const fields = parameters.map(
    ({ name, required = false, description: text = "" }) =>
      `| \`${name}\` | ${required ? "yes" : "no"} | ${oneLine(text)} |`,
  );
  return [
    `### ${title}`,
    summary,
    ...(description === undefined ? [] : [description]),
    ...(fields.length === 0
      ? []
      : [["| parameter | required | meaning |", "| --- | --- | --- |", ...fields].join("\n")]),
    ...(requestBody === undefined ? [] : [`Request body: ${schemaOf(requestBody)}`]),
    ["| status | meaning | body |", "| --- | --- | --- |", ...answers].join("\n"),
  ].join("\n\n");
}

/** A link to the named schema, or the words that it stands in place. */
function schemaOf({ content = {} }: z.infer<typeof Content>): string {
  const name = /#\/components\/schemas\/(\w+)/.exec(JSON.stringify(content))?.[1];
  return name === undefined ? "none" : `[${name}](#${name.toLowerCase()})`;
}

function oneLine(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
}

/** A code block of JSON. */
export function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``;
}
