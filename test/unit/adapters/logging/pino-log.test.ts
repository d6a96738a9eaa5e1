import { expect, test } from "vitest";
import type { LogLevel } from "../../../../src/adapters/logging/log-levels.ts";
import { pinoLog } from "../../../../src/adapters/logging/pino-log.ts";
import { ConfigInvalidError } from "../../../../src/kernel/errors.ts";
import { Secret } from "../../../../src/kernel/secret.ts";
import { UnavailableError } from "../../../../src/worker/answers/service-errors.ts";

/** A log at `level`, and its written lines, parsed. */
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
])("at %s only lines of at least this severity are written", (level, expected) => {
  const { log, lines } = logAt(level);

  for (const name of ["debug", "info", "warn", "error"] as const) log[name](name);

  expect(lines().map(({ msg }) => msg)).toEqual(expected);
});

test("a field that may not be logged is left out, with its whole content, at any depth", () => {
  const { log, written, lines } = logAt("info");
  const config = { KAFKA_SASL_PASSWORD: "hunter2", nested: [{ deeper: { key: "hunter2" } }] };

  log.info("a", { config, count: 1 });
  // Objects are left out under an allowed name, too: a nested object would bypass the filter.
  log.warn("b", { reason: config, hosts: [config], key: new Secret("hunter2"), keys: ["hunter2"], attempt: 2 });
  log.error("c", { error: config });
  log.error("d", { error: new UnavailableError("no answer", { request: config, status: 503, bucket: config }) });

  expect(written.join("")).not.toContain("hunter2");
  expect(lines().map(({ time: _time, ...rest }) => rest)).toEqual([
    { level: "info", msg: "a", count: 1 },
    { level: "warn", msg: "b", attempt: 2 },
    { level: "error", msg: "c" },
    {
      level: "error",
      msg: "d",
      error: { type: "UnavailableError", message: "no answer", code: "UNAVAILABLE", status: 503 },
    },
  ]);
});

test("at the debug level, fields that were left out are named, without their content", () => {
  const { log, written, lines } = logAt("debug");
  const headers = { "x-api-key": "hunter2" };

  log.warn("a", { headers, count: "hunter2", file: undefined, line: 3 });
  log.warn("b", { error: new UnavailableError("no answer", { headers, status: 503 }) });

  expect(written.join("")).not.toContain("hunter2");
  expect(lines()[0]).toMatchObject({ line: 3, dropped: ["headers", "count"] });
  expect(lines()[1]).toMatchObject({ dropped: ["error.headers"] });
});

test("an error is reduced to its safe fields, and no attached object is written", () => {
  const { log, written, lines } = logAt("info");
  const error = Object.assign(new TypeError("boom", { cause: new Error("hunter2") }), {
    request: { headers: { "x-api-key": "hunter2" } },
    stack: "TypeError: boom, sent with hunter2\nhunter2\n    at send (client.ts:3:5)",
  });

  log.error("failed", { error });

  expect(lines()[0]?.error).toEqual({ type: "TypeError", message: "boom", stack: "    at send (client.ts:3:5)" });
  expect(written.join("")).not.toContain("hunter2");
});

test("an error of Weir has its code and its context, and the context does not replace the code", () => {
  const { log, lines } = logAt("info");
  const error = new ConfigInvalidError("bad", { file: "a.csv", line: 3, code: "ENOENT" });

  log.warn("refused", { error, attempt: 1 });

  expect(lines()[0]).toMatchObject({ attempt: 1 });
  expect(lines()[0]?.error).toEqual({
    type: "ConfigInvalidError",
    message: "bad",
    code: "CONFIG_INVALID",
    file: "a.csv",
    line: 3,
  });
});
