import { expect, test } from "vitest";
import {
  ConfigInvalidError,
  InputUnreadableError,
  OutputUnwritableError,
  toError,
} from "../../../src/kernel/errors.ts";

test.each([
  [new ConfigInvalidError("x"), "CONFIG_INVALID"],
  [new InputUnreadableError("x"), "INPUT_UNREADABLE"],
  [new OutputUnwritableError("x"), "OUTPUT_UNWRITABLE"],
])("%s has its code and is not retryable", (error, code) => {
  expect(error.code).toBe(code);
  expect(error.retryable).toBe(false);
  expect(error.name).toBe(error.constructor.name);
});

test("an error keeps its context and its cause", () => {
  const cause = new Error("disk full");

  const error = new OutputUnwritableError("cannot write", { file: "a" }, { cause });

  expect(error.context).toEqual({ file: "a" });
  expect(error.cause).toBe(cause);
});

test("an error stays itself, and any other value becomes an error with that value as its cause", () => {
  const error = new Error("x");

  expect(toError(error)).toBe(error);
  expect(toError("text")).toMatchObject({ message: "text", cause: "text" });
  expect(toError(undefined)).toMatchObject({ message: "undefined" });
});
