import { z } from "zod";
import { integersAsText } from "../../../api/fields.ts";
import { ScreeningEvent } from "../../../messages/event.ts";
import { Verdict } from "../../../messages/verdict.ts";
import { PolicyFile } from "../../../policy/policy.ts";

/** JSON Schemas of all inputs and outputs, by file name. `npm run docs` prints them to docs/schemas. */
export function jsonSchemas(): Readonly<Record<string, unknown>> {
  return {
    "event.schema.json": z.toJSONSchema(ScreeningEvent, { ...integersAsText, io: "input" }),
    "verdict.schema.json": z.toJSONSchema(Verdict, { io: "input" }),
    "policy.schema.json": z.toJSONSchema(PolicyFile, { io: "input" }),
  };
}

/** The JSON Schema of verdicts in the draft that schema registries read. */
export function registeredVerdictSchema(): unknown {
  return z.toJSONSchema(Verdict, { io: "input", target: "draft-7" });
}
