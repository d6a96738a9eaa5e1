import { expect, test } from "vitest";
import { type LogLevel, pinoLog } from "../../../../src/adapters/pino/pino-log.ts";
import { ConfigInvalidError } from "../../../../src/kernel/errors.ts";
import { Secret } from "../../../../src/kernel/secret.ts";

/** A log at `level`, and the lines it has written, parsed. */
function logAt(level: LogLevel) {
  const written: string[] = [];
  const log = pinoLog(level, { write: (line: string) => void written.push(line) });
  return { log, written, lines: () => written.map((line) => JSON.parse(line)) };
}

test("each call is one JSON line with time, level, message and fields, and nothing about the machine", () => {
  const { log, written, lines } = logAt("debug");

  log.debug("a");
  log.info("b", { count: 1 });
  log.warn("c");
  log.error("d", { file: "x" });

  expect(written.every((line) => line.indexOf("\n") === line.length - 1)).toBe(true);
  expect(lines().map(({ time: _time, ...rest }) => rest)).toEqual([
    { level: "debug", msg: "a" },
    { level: "info", msg: "b", count: 1 },
    { level: "warn", msg: "c" },
    { level: "error", msg: "d", file: "x" },
  ]);
  expect(lines()[0]?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test.each<[LogLevel, readonly string[]]>([
  ["debug", ["debug", "info", "warn", "error"]],
  ["info", ["info", "warn", "error"]],
  ["warn", ["warn", "error"]],
  ["error", ["error"]],
  ["fatal", []],
  ["silent", []],
])("at %s only what is that severe is written", (level, expected) => {
  const { log, lines } = logAt(level);

  for (const name of ["debug", "info", "warn", "error"] as const) log[name](name);

  expect(lines().map(({ msg }) => msg)).toEqual(expected);
});

test("a secret is never written", () => {
  const { log, written } = logAt("info");

  log.info("key", {
    key: new Secret("hunter2"),
    keys: [new Secret("hunter2")],
    nested: { key: new Secret("hunter2") },
  });

  expect(written.join("")).not.toContain("hunter2");
  expect(JSON.parse(written[0] ?? "")).toMatchObject({ key: "[secret]", keys: ["[secret]"] });
});

test("an error is reduced to what may be shown: nothing that hangs off it is written", () => {
  const { log, written, lines } = logAt("info");
  const error = Object.assign(new TypeError("boom", { cause: new Error("hunter2") }), {
    request: { headers: { "x-api-key": "hunter2" } },
  });

  log.error("failed", { error });

  expect(lines()[0]?.error).toEqual({ type: "TypeError", message: "boom", stack: error.stack });
  expect(written.join("")).not.toContain("hunter2");
});

test("an error of ours brings its code and its context", () => {
  const { log, lines } = logAt("info");
  const error = new ConfigInvalidError("bad", { file: "a.csv", line: 3 });

  log.warn("refused", { error, at: 1 });

  expect(lines()[0]).toMatchObject({
    at: 1,
    error: { type: "ConfigInvalidError", message: "bad", code: "CONFIG_INVALID", file: "a.csv", line: 3 },
  });
});
