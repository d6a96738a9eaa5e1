import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { labelFormatNames } from "../../../../src/adapters/files/labels/label-format.ts";
import { completionScript } from "../../../../src/cli/completion/completion-script.ts";
import { completionTable } from "../../../../src/cli/completion/completion-table.ts";
import { pathOf } from "../../../../src/cli/program/command-help.ts";
import { shells } from "../../../../src/cli/program/help-commands.ts";
import { commandsIn, testProgram } from "../../../support/program.ts";

const program = testProgram();
const script = completionScript(program, "bash");

/** The words that bash offers for the last of some words. */
function offered(...words: readonly string[]): readonly string[] {
  const ask = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _weir; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", ask, "bash", "weir", ...words], { encoding: "utf8" })
    .trim()
    .split("\n");
}

test.each<[readonly string[], readonly string[]]>([
  [["scr"], ["screen"]],
  [
    ["labels", ""],
    ["import", "check"],
  ],
  [["labels", "import", "--format", ""], labelFormatNames],
  [["labels", "import", "--format", "=", "ofac-c"], ["ofac-csv"]],
  [["config", "check", "wor"], ["worker"]],
  [["completion", ""], shells],
  [["help", "aud"], ["audit"]],
  [["screen", "--fi"], ["--finished"]],
])("bash offers for %j", (words, expected) => {
  expect(offered(...words)).toEqual([...expected]);
});

test("bash offers every command first", () => {
  expect(offered("")).toEqual(program.commands.map((command) => command.name()));
});

test("a value of a flag calls no command, and a command's name as an argument neither", () => {
  expect(offered("--config", "screen", "worke")).toEqual(["worker"]);
  expect(offered("screen", "plan", "--sho")).toEqual(["--show"]);
});

test("bash offers files for a flag that takes a file", () => {
  expect(offered("screen", "--out", "")).toEqual([""]);
});

test("the table has every command and every flag of the command line", () => {
  const table = completionTable(program);
  const flags = [program, ...commandsIn(program)].map((command) => [
    pathOf(command),
    command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long])),
  ]);

  expect(table.map(({ path }) => path)).toEqual(flags.map(([path]) => path));
  for (const [path, names] of flags) {
    const known = table.find((each) => each.path === path)?.flags.flatMap((flag) => flag.names);
    expect(known).toEqual(expect.arrayContaining([...(names ?? []), "--help", "--config"]));
  }
});

/** The shells are not on every machine, so the scripts are compared with the table and not run. */
test.each(["zsh", "fish"] as const)("the script for %s names each command and each value", (shell) => {
  const text = completionScript(program, shell);
  const named = completionTable(program).flatMap(({ path, words, flags }) => [
    `"${path}"`,
    ...words.map(([word]) => word),
    ...flags.flatMap(({ values }) => values),
    ...flags.flatMap(({ names }) => (shell === "zsh" ? names : names.map((name) => name.replace(/^--?/, "")))),
  ]);

  expect(named.filter((each) => !text.includes(each))).toEqual([]);
  expect((text.replaceAll("'\\''", "").match(/(?<!\\)'/g) ?? []).length % 2).toBe(0);
});
