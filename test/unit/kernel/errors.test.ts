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
])("%s has its code and is not tried again", (error, code) => {
  expect(error.code).toBe(code);
  expect(error.retryable).toBe(false);
  expect(error.name).toBe(error.constructor.name);
});

test("context and cause travel with the error", () => {
  const cause = new Error("disk full");

  const error = new OutputUnwritableError("cannot write", { file: "a" }, { cause });

  expect(error.context).toEqual({ file: "a" });
  expect(error.cause).toBe(cause);
});

test("an error stays itself, anything else becomes one with the original as its cause", () => {
  const error = new Error("x");

  expect(toError(error)).toBe(error);
  expect(toError("text")).toMatchObject({ message: "text", cause: "text" });
  expect(toError(undefined)).toMatchObject({ message: "undefined" });
});
