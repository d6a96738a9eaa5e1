import { z } from "zod";
import { envelope, STATUS_NOT_OK, SUCCESS_CODE } from "../envelope.ts";
import { ChainIdText, Flag } from "../fields.ts";

const subject = { chain_id: ChainIdText, address: z.string() };

const booleanWords = ["true", "false", "1", "0"] as const;

/** Query form. `strict` is true or false in any case, because Python clients write True. 1 and 0 are accepted too. */
export const ClassifyQuery = z
  .object({
    ...subject,
    strict: z
      .string()
      .toLowerCase()
      .pipe(z.enum(booleanWords, { error: "must be true or false" }))
      .optional()
      .meta({ description: "True answers within the strict latency budget or gives up.", enum: booleanWords }),
  })
  .meta({ id: "ClassifyQuery" });
export type ClassifyQuery = z.infer<typeof ClassifyQuery>;

/**
 * Body form, with the same answer as the query form. Its path and payload are "not shown"
 * (docs/decisions/0001-open-points.md).
 */
export const ClassifyRequest = z
  .object({ ...subject, strict: z.boolean().default(false) })
  .meta({ id: "ClassifyRequest" });
export type ClassifyRequest = z.infer<typeof ClassifyRequest>;

/**
 * A missing, empty or Unverified label is not a safe verdict. Source: docs/decisions/0001-open-points.md, "Address
 * classification".
 */
export const ClassifyData = z.looseObject({
  address: z.string().describe("Address in the form <chain_prefix>:<address>."),
  address_type: z.string().describe("Broad family of the address, commonly EOA or Contract."),
  classification: z.string(),
  classification_id: z.number().int(),
  details: z.looseObject({
    is_verified: z.boolean(),
    proxy_impl_address: z.string(),
    proxy_impl_type: z.string(),
  }),
  is_erc20: Flag,
  scanned_time: z.number().int().describe("Time of the scan, in Unix seconds."),
  status: z.number().int(),
  timestamp: z.string().describe("Time of the scan, in ISO 8601."),
  verify_status: z.string(),
});
export type ClassifyData = z.infer<typeof ClassifyData>;

/** Strict mode exceeded its budget, so there is no data. The client repeats the request without strict. */
export const ClassifyTimedOut = z.looseObject({ code: z.literal(SUCCESS_CODE), status: z.literal(STATUS_NOT_OK) });

export const ClassifyResponse = z.union([envelope(ClassifyData), ClassifyTimedOut]).meta({ id: "ClassifyResponse" });
export type ClassifyResponse = z.infer<typeof ClassifyResponse>;
