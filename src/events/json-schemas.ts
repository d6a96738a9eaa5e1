import { z } from "zod";
import { rawIntegersShown } from "../contract/fields.ts";
import { ScreeningEvent } from "./event.ts";
import { PolicyFile } from "./policy.ts";
import { Verdict } from "./verdict.ts";

/** JSON Schemas of what goes in and comes out, by file name. Printed to docs/schemas by `npm run docs`. */
export function jsonSchemas(): Readonly<Record<string, unknown>> {
  return {
    "event.schema.json": z.toJSONSchema(ScreeningEvent, { ...rawIntegersShown, io: "input" }),
    "verdict.schema.json": z.toJSONSchema(Verdict, { io: "input" }),
    "policy.schema.json": z.toJSONSchema(PolicyFile, { io: "input" }),
  };
}
