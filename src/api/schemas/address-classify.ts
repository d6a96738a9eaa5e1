import { z } from "zod";
import { envelope, STATUS_NOT_OK, SUCCESS_CODE } from "../envelope.ts";
import { ChainIdText, Flag } from "../fields.ts";

const subject = { chain_id: ChainIdText, address: z.string() };

const booleanWords = ["true", "false", "1", "0"] as const;

/** Query form. `strict` is written true or false, in any case: Python's clients write True. 1 and 0 are taken too. */
export const ClassifyQuery = z
  .object({
    ...subject,
    strict: z
      .string()
      .toLowerCase()
      .pipe(z.enum(booleanWords, { error: "must be true or false" }))
      .optional()
      .meta({ description: "answer within the strict latency budget or give up", enum: booleanWords }),
  })
  .meta({ id: "ClassifyQuery" });
export type ClassifyQuery = z.infer<typeof ClassifyQuery>;

/** Body form: same answer as the query form; its path and payload are "not shown" (docs/decisions/0001-open-points.md). */
export const ClassifyRequest = z
  .object({ ...subject, strict: z.boolean().default(false) })
  .meta({ id: "ClassifyRequest" });
export type ClassifyRequest = z.infer<typeof ClassifyRequest>;

/** Source: docs/decisions/0001-open-points.md, "Address classification". A missing, empty or Unverified label is not a safe verdict. */
export const ClassifyData = z.looseObject({
  address: z.string().describe("<chain_prefix>:<address>"),
  address_type: z.string().describe("broad family, commonly EOA or Contract"),
  classification: z.string(),
  classification_id: z.number().int(),
  details: z.looseObject({
    is_verified: z.boolean(),
    proxy_impl_address: z.string(),
    proxy_impl_type: z.string(),
  }),
  is_erc20: Flag,
  scanned_time: z.number().int().describe("Unix seconds"),
  status: z.number().int(),
  timestamp: z.string().describe("ISO 8601"),
  verify_status: z.string(),
});
export type ClassifyData = z.infer<typeof ClassifyData>;

/** Strict mode, budget exceeded: no data. The client repeats it without strict. */
export const ClassifyTimedOut = z.looseObject({ code: z.literal(SUCCESS_CODE), status: z.literal(STATUS_NOT_OK) });

export const ClassifyResponse = z.union([envelope(ClassifyData), ClassifyTimedOut]).meta({ id: "ClassifyResponse" });
export type ClassifyResponse = z.infer<typeof ClassifyResponse>;
