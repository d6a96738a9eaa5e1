import { z } from "zod";
import { flag, wholeNumber } from "./fields.ts";

/** Longest period of Object Lock: 100 years. */
const MAX_LOCK_DAYS = 36_500;

/** `missing` is the message for an absent bucket. */
export const bucketNamed = (missing: string) =>
  z
    .string({ error: missing })
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be a bucket's name: 3 to 63 of a-z, 0-9, dot and dash")
    .describe("bucket of the archive");

/**
 * Settings of every command that archives to S3. Credentials are the SDK's own: AWS_ACCESS_KEY_ID and so on, profiles
 * and roles.
 */
export const S3Env = z.object({
  S3_BUCKET: bucketNamed("must name the bucket of the archive"),
  S3_ENDPOINT: z.string().optional().describe("S3 server other than Amazon's, https but on this machine"),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/, "must look like eu-central-1")
    .optional()
    .describe("region of the bucket; empty = AWS_REGION, or that of the profile"),
  S3_PREFIX: z
    .string()
    .regex(
      /^(?!\.{1,2}(\/|$))[\w!.*'()=-]+(\/(?!\.{1,2}(\/|$))[\w!.*'()=-]+)*\/?$/,
      "must be a folder's name, as in archive/weir, of letters, digits and !_.*'()=-",
    )
    .optional()
    .describe("folder in the bucket that the archive's keys begin with"),
  S3_FORCE_PATH_STYLE: flag.describe("`true` names the bucket in paths, as most servers but Amazon's need"),
  S3_KMS_KEY_ID: z.string().min(1).optional().describe("KMS key that objects are encrypted with; empty = the bucket's"),
  S3_EXPECTED_BUCKET_OWNER: z
    .string()
    .regex(/^\d{12}$/, "must be an account of 12 digits")
    .optional()
    .describe("account that the bucket must belong to"),
  S3_OBJECT_LOCK_DAYS: wholeNumber
    .refine((days) => days <= MAX_LOCK_DAYS, `must be at most ${MAX_LOCK_DAYS}`)
    .optional()
    .describe("days in which nobody can remove an object; the bucket must have been made with Object Lock"),
  S3_OBJECT_LOCK_MODE: z
    .enum(["GOVERNANCE", "COMPLIANCE"])
    .optional()
    .describe("`GOVERNANCE` lets those remove it who may bypass the lock, `COMPLIANCE` nobody"),
  S3_STORAGE_CLASS: z
    .enum(["STANDARD", "STANDARD_IA", "ONEZONE_IA", "INTELLIGENT_TIERING", "GLACIER_IR"])
    .optional()
    .describe("storage class of objects; those that must be restored before they are read are not offered"),
  S3_CHECKSUMS: z
    .enum(["always", "when-required"])
    .default("always")
    .describe("`when-required` sends no checksums that an older server may refuse"),
});
