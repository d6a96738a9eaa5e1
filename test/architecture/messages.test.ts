/** Texts that a user reads by themselves: settings, metrics, flags, statuses, fields and log lines. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { dashboardTitles } from "../../scripts/dashboard.ts";
import { metricDefinitions } from "../../src/adapters/prometheus/metric-definitions.ts";
import { envRows } from "../../src/cli/config/docs/env-table.ts";
import { helpOf } from "../../src/cli/program/command-help.ts";
import { faultsIn, logMessagesIn, meanLength, sentencesIn } from "../support/message-prose.ts";
import { commandsIn, testProgram } from "../support/program.ts";

const MEAN = 18;

const program = testProgram();
const commands = commandsIn(program);
const settings = envRows().map(({ name, description }) => [name, description] as const);
const metrics = Object.values(metricDefinitions).map(({ name, help }) => [name, help] as const);
const helps = commands.flatMap((command) => {
  const { statuses = {}, note, examples = [] } = helpOf(command) ?? {};
  return [
    ...[command.description(), ...(note === undefined ? [] : [note]), ...Object.values(statuses)],
    ...command.options.map(({ description }) => description.replace(/ \(default: [^)]*\)$/, "")),
    ...command.registeredArguments.map(({ description }) => description.replace(/ \(default: [^)]*\)$/, "")),
    ...examples.map(([purpose]) => `${purpose}.`),
  ].map((text) => [command.name(), text] as const);
});
const fields = ["openapi.json", ...globSync("docs/schemas/*.json")].flatMap((file) =>
  descriptionsIn(JSON.parse(readFileSync(file, "utf8"))).map((text) => [file, text] as const),
);
const logLines = globSync("src/**/*.ts").flatMap((file) => logMessagesIn(file).map((text) => [file, text] as const));

const groups = [
  ["settings", settings, 120],
  ["metrics", metrics, 45],
  ["helps", helps, 150],
  ["fields", fields, 200],
] as const;

test.each(groups)("each text of %s is made of whole sentences that stand alone", (_, texts, least) => {
  expect(texts.length).toBeGreaterThan(least);
  expect(texts.filter(([, text]) => !/^[A-Z0-9'`<].*[.)]$/s.test(text))).toEqual([]);
  expect(texts.flatMap(([name, text]) => faultsIn(text).map((fault) => [name, fault]))).toEqual([]);
});

test.each(groups)("a sentence of %s has fewer than eighteen words in the mean", (_, texts) => {
  expect(meanLength(texts.map(([, text]) => text))).toBeLessThan(MEAN);
});

test("a log line names its things", () => {
  expect(logLines.length).toBeGreaterThan(60);
  expect(logLines.flatMap(([file, text]) => faultsIn(text).map((fault) => [file, fault]))).toEqual([]);
  expect(logLines.filter(([, text]) => text.split(" ").length < 3 && !text.includes("code"))).toEqual([]);
});

test("titles of the dashboard name their things", () => {
  expect(dashboardTitles.length).toBeGreaterThan(40);
  expect(dashboardTitles.flatMap(faultsIn)).toEqual([]);
  expect(new Set(dashboardTitles).size).toBe(dashboardTitles.length);
});

test("the scan finds what it looks for", () => {
  expect(faultsIn("Verdicts in them.")).toEqual([]);
  expect(faultsIn("Their port; 0 takes a free one.")).toEqual(["pronoun: Their port;"]);
  expect(faultsIn("Keys. That is all.")).toEqual(["pronoun: That is all."]);
  expect(faultsIn("That process waits.")).toEqual([]);
  expect(faultsIn("Who archives.")).toEqual(["person: Who", "pronoun: Who archives."]);
  expect(faultsIn("Events that were put off.")).toEqual(["dialect: put off"]);
  expect(faultsIn(`${"word ".repeat(35)}.`)).toHaveLength(1);
  expect(sentencesIn("One `a. b` word. Two; three")).toEqual(["One code word.", "Two;", "three"]);
});

/** The descriptions of a schema. Those of responses are the messages of the interface, which Weir does not choose. */
function descriptionsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(descriptionsIn);
  if (typeof value !== "object" || value === null) return [];
  const parts = Object.entries(value).filter(([key]) => key !== "responses");
  return parts.flatMap(([key, part]) =>
    key === "description" && typeof part === "string" ? [part] : descriptionsIn(part),
  );
}
