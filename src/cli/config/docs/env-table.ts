import { z } from "zod";
import { AdapterCheckEnv, DoctorEnv, PlanEnv, PlanTopicEnv, RescreenEnv, ScreenEnv, WorkerEnv } from "../config.ts";
import { ArchiveEnv, ArchiveReaderEnv, AuditEnv, BacktestEnv, HealthEnv } from "../env/archive-env.ts";
import { ConfigFileEnv } from "../env/config-file-env.ts";
import { KafkaEnv } from "../env/kafka-env.ts";
import { EvmEnv } from "../env/nodes-env.ts";
import { LabelsEnv, ServeEnv } from "../env/serve-env.ts";

const commands = {
  "weir serve": ServeEnv,
  "weir labels check": LabelsEnv,
  "weir screen, weir demo": ScreenEnv,
  "weir plan": PlanEnv,
  "weir worker": WorkerEnv,
  "weir plan --topic": PlanTopicEnv,
  "weir archive": ArchiveEnv,
  "weir audit": AuditEnv,
  "weir backtest, weir explain": BacktestEnv,
  "weir find, weir index, weir export": ArchiveReaderEnv,
  "weir rescreen": RescreenEnv,
  "weir doctor": DoctorEnv,
  "weir health": HealthEnv,
  "weir enqueue, weir replay": KafkaEnv,
  "weir inspect": EvmEnv,
  "weir adapter check": AdapterCheckEnv,
  "every command": ConfigFileEnv,
} as const;

/** One variable, with the commands that read it in the same way. */
export interface EnvRow {
  readonly name: string;
  readonly readers: readonly string[];
  /** The default as an operator would write it; empty: none. */
  readonly fallback: string;
  readonly description: string;
}

/** The settings of each command that reads any, by the words that call the command: `labels check`. */
function commandSettings(): ReadonlyMap<string, z.ZodObject> {
  return new Map(
    Object.entries(commands).flatMap(([readers, schema]) =>
      readers.startsWith("weir ")
        ? readers.split(", ").map((reader) => [reader.slice("weir ".length), schema] as const)
        : [],
    ),
  );
}

/** The settings of a command. @param name its words, or the first of them: `labels`, `labels check`. */
export function settingsOf(name: string): z.ZodObject | undefined {
  const settings = commandSettings();
  return settings.get(name) ?? [...settings].find(([words]) => words.startsWith(`${name} `))?.[1];
}

/** The first word of each command that reads settings. */
export function configurableCommands(): readonly string[] {
  return [...new Set([...commandSettings().keys()].map((words) => words.split(" ")[0] ?? ""))];
}

/** The names of all variables that any command reads. */
export function variableNames(): readonly string[] {
  return [...new Set(Object.values(commands).flatMap((schema) => Object.keys(schema.shape)))];
}

/** Every variable, from the schemas that read it. A variable with one meaning in several commands has one row. */
export function envRows(): readonly EnvRow[] {
  const rows = new Map<string, EnvRow>();
  for (const [command, schema] of Object.entries(commands)) {
    for (const { name, fallback, description } of variablesIn(schema)) {
      const key = JSON.stringify([name, fallback, description]);
      const readers = [...(rows.get(key)?.readers ?? []), command];
      rows.set(key, { name, readers, fallback, description });
    }
  }
  return [...rows.values()];
}

/** The defaults of the variables that have one, as an operator would write them. */
export function fallbacksIn(schema: z.ZodObject): ReadonlyMap<string, string> {
  const given = variablesIn(schema).filter(({ fallback }) => fallback !== "");
  return new Map(given.map(({ name, fallback }) => [name, fallback]));
}

/** The variables that a command cannot start without. */
export function requiredIn(schema: z.ZodObject): readonly string[] {
  return Object.entries(schema.shape)
    .filter(([, field]) => !(field as z.ZodType).safeParse(undefined).success)
    .map(([name]) => name);
}

function variablesIn(schema: z.ZodObject): readonly Omit<EnvRow, "readers">[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([name, property]) => {
    const { default: given, description = "" } = Object(property);
    const fallback = given === undefined ? "" : String(Array.isArray(given) ? given.join(",") : given);
    return { name, fallback, description };
  });
}
