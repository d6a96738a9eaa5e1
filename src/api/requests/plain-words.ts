import type { z } from "zod";
import { shortName } from "./short-name.ts";

export const WRITTEN_IN_FULL = "must be written in full, without an exponent: as text of decimal digits";

/**
 * Describes the fault of a value in the words of its author. The schema library speaks of its input, its options and of
 * types. This map is given to `safeParse` as its `error`; the messages of a schema take precedence.
 */
export const plainWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is missing" : `must be ${article(nouns[issue.expected] ?? issue.expected)}`;
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
    case "too_small":
      return issue.origin === "string" && issue.minimum === 1
        ? "must not be empty"
        : `must ${measure(issue.origin)} at least ${issue.minimum}${unit(issue.origin)}`;
    case "too_big":
      // JavaScript writes 10^21 as 1e+21. Such a number may have lost digits before it came here.
      if (issue.origin === "int" && issue.maximum === Number.MAX_SAFE_INTEGER) return WRITTEN_IN_FULL;
      return `must ${measure(issue.origin)} at most ${issue.maximum}${unit(issue.origin)}`;
    case "unrecognized_keys":
      return `unknown field${issue.keys.length === 1 ? "" : "s"} ${issue.keys.map(shortName).join(", ")}`;
    case "invalid_format":
      return issue.format === "url" ? "must be a URL" : "is not written as it must be";
    case "invalid_union":
      return "has none of the forms that it may have";
    case "invalid_key":
      return "has a name that is not allowed";
    default:
      return "is not allowed";
  }
};

/** The names that JSON uses for types. */
const nouns: Readonly<Record<string, string>> = { record: "object", int: "whole number", map: "object" };

function measure(origin: string): string {
  return origin === "string" || origin === "array" ? "have" : "be";
}

function unit(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" ? " items" : "";
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
