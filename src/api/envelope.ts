import { z } from "zod";

/** `code` of a success. Clients decide on `status`, since an analysis in progress is a success too. */
export const SUCCESS_CODE = "0";
export const STATUS_OK = "ok";
export const STATUS_IN_PROGRESS = "in progress";
/** Status of a classification in strict mode that exceeded its latency budget. */
export const STATUS_NOT_OK = "notok";

/** A finished answer around `data`. */
export function envelope<T extends z.ZodType>(data: T) {
  return z.looseObject({ code: z.literal(SUCCESS_CODE), status: z.literal(STATUS_OK), data });
}

/** Wraps `data` as a finished answer. */
export function success<T>(data: T): { code: typeof SUCCESS_CODE; status: typeof STATUS_OK; data: T } {
  return { code: SUCCESS_CODE, status: STATUS_OK, data };
}

/** The answer of an analysis that is still running; no `data`. Source: docs/decisions/0001-open-points.md, "Token security". */
export const InProgress = z.looseObject({
  code: z.literal(SUCCESS_CODE),
  status: z.literal(STATUS_IN_PROGRESS),
  pollAfter: z.number().int().min(0).describe("Seconds to wait before the same request is repeated."),
});
export type InProgress = z.infer<typeof InProgress>;
