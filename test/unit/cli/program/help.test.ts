import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { configurableCommands, settingsOf } from "../../../../src/cli/config/docs/env-table.ts";
import { commandAt, HELP_WIDTH, helpOf, pathOf } from "../../../../src/cli/program/command-help.ts";
import { settingCommands } from "../../../../src/cli/program/config-commands.ts";
import { commandsIn, printedHelp, programWithHelp, testProgram } from "../../../support/program.ts";

const program = programWithHelp();
const commands = commandsIn(program).map((command) => [pathOf(command), command] as const);
/** Commands that do something by themselves. The others only hold commands. */
const acting = commands.filter(([path]) => !["labels", "adapter", "map", "help"].includes(path));

test("the table has every command", () => {
  expect(commands.length).toBeGreaterThan(18);
});

test.each([["", program] as const, ...commands])(
  "no line of the help of weir %s is wider than the limit",
  (_, command) => {
    const lines = printedHelp(command).split("\n");

    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter((line) => line.length > HELP_WIDTH)).toEqual([]);
  },
);

test("a narrow terminal gets narrow lines", () => {
  const lines = testProgram(80).helpInformation().split("\n");

  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test.each(commands)("weir %s has one sentence as its description", (_, command) => {
  expect(command.description()).toMatch(/^[A-Z][^\n]*\.$/);
  expect(command.description().split(/[.:] /).length).toBeLessThanOrEqual(2);
  expect(command.summary()).toMatch(/^[a-z][^\n.]*$/);
});

test.each(acting)("the help of weir %s has examples and exit statuses", (path, command) => {
  const help = printedHelp(command);

  expect(help).toMatch(new RegExp(`^Usage: weir ${path}\\b`));
  expect(help).toMatch(/\nExamples:\n {2}# [A-Z]/);
  expect(help).toMatch(/\nExit status:\n {4}0 {2}[A-Z][^\n]*\n/);
});

test.each(acting)("the examples of weir %s call the command with flags that exist", (path, command) => {
  const allowed = new Set(
    [...command.options, ...program.options, ...(command.parent?.options ?? [])].map(({ long }) => long),
  );
  const lines = helpOf(command)?.examples.map(([, line]) => line) ?? [];

  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    const words = (/(?:\bweir|\bIMAGE) (.*)/.exec(line)?.[1] ?? "").split(/[ )]/);
    expect(pathOf(commandAt(program, words)[0]), line).toBe(path);
    for (const word of words.filter((each) => each.startsWith("--"))) expect(allowed, line).toContain(word);
  }
});

test("a command that reads settings lists each by its area, with its default", () => {
  const unnamed = configurableCommands().flatMap((name) => {
    const [, command] = acting.find(([path]) => settingsOf(path) === settingsOf(name)) ?? [];
    const help = command === undefined ? "" : printedHelp(command);
    return Object.keys(settingsOf(name)?.shape ?? {}).filter((variable) => !new RegExp(`\\b${variable}\\b`).test(help));
  });
  const worker = printedHelp(commandAt(program, ["worker"])[0]);

  expect(unnamed).toEqual([]);
  expect(worker).toContain("KAFKA_BROKERS (required)  KAFKA_CLIENT_ID=weir");
  expect(worker).toContain("SERVICE_URL (required)");
});

test("weir config takes each command that reads settings", () => {
  expect([...settingCommands].sort()).toEqual([...configurableCommands()].sort());
});

test("a document that a help names is there", () => {
  const named = commands.flatMap(([, command]) => helpOf(command)?.documents ?? []);

  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
});

test("words find their command, and the rest is left", () => {
  const [command, rest] = commandAt(program, ["labels", "check", "x"]);

  expect([pathOf(command), rest]).toEqual(["labels check", ["x"]]);
});
