import { type EnvRow, envRows } from "./env-table.ts";
import { variableAreas } from "./variable-areas.ts";

const HEAD = `# Configuration

<!-- Printed by \`npm run docs\` from the schemas that read the variables. Do not edit. -->

Every setting is an environment variable, or a line \`NAME: value\` of a config file. An empty variable counts as unset. Each command reads the variables that its row names.

- **Config file:** \`--config FILE\` or \`WEIR_CONFIG\` names a YAML file of the same settings. A variable of the environment replaces its setting of the file. A secret may be \`{ file: PATH }\`. The [schema](schemas/config.schema.json) lists all names.
- **See them:** \`weir config worker\` prints the values in effect with their sources, and masks secrets.
- **Test them:** \`weir config check worker\` (or another command) judges every setting and file without a network, and names each fault.
- **Misspelled names:** each command warns of a variable that looks like one of Weir's and is none.
- **Durations** look like \`500ms\`, \`30s\` or \`2min\`. Quotas look like \`50/1s\`, \`600/1min\`, \`5000/1h\` or \`100000/1d\`.
- **Lists** of files, topics and keys are separated by commas.
- **Secrets** belong into files: a variable that ends in \`_FILE\` names the file that holds the value.
- **An example** of an environment file is \`deploy/weir.env.example\`.
`;

/** The page of all variables: one table for each area, one row for each variable. */
export function configurationPage(): string {
  const rows = Map.groupBy(envRows(), ({ name }) => name);
  const sections = variableAreas.map(({ title, intro }, place) => {
    const own = [...rows].filter(([name]) => areaOf(name) === place).sort(([a], [b]) => (a < b ? -1 : 1));
    const lines = own.map(
      ([name, same]) => `| \`${name}\` | ${defaultOf(same)} | ${readersOf(same)} | ${meaningOf(same)} |`,
    );
    const head = ["| variable | default | read by | meaning |", "| --- | --- | --- | --- |"];
    return `## ${title}\n\n${intro}\n\n${[...head, ...lines].join("\n")}\n`;
  });
  return [HEAD, ...sections].join("\n");
}

/** The place of a variable's area in the list of areas. -1 when no area has the variable. */
export function areaOf(name: string): number {
  return variableAreas.findIndex(({ names }) => names.test(name));
}

/** One default, or each different default with the commands that have it. */
function defaultOf(rows: readonly EnvRow[]): string {
  const readers = Map.groupBy(rows, ({ fallback }) => fallback);
  return Array.from(readers, ([fallback, same]) => {
    const shown = fallback === "" ? "none" : `\`${fallback}\``;
    return readers.size === 1 ? shown : `${shown} (${readersOf(same)})`;
  }).join("; ");
}

/** One description, or each different description with the commands that have it. */
function meaningOf(rows: readonly EnvRow[]): string {
  const readers = Map.groupBy(rows, ({ description }) => sentence(description));
  return Array.from(readers, ([text, same]) => (readers.size === 1 ? text : `${readersOf(same)}: ${text}`)).join(" ");
}

/** The commands without the name of the program. */
function readersOf(rows: readonly EnvRow[]): string {
  return [...new Set(rows.flatMap(({ readers }) => readers))].join(", ").replaceAll("weir ", "");
}

/** A description as a sentence. A description that begins with code keeps its case. */
function sentence(description: string): string {
  const text = description.charAt(0).toUpperCase() + description.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
