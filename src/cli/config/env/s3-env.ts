import { z } from "zod";
import { flag, wholeNumber } from "./fields.ts";

/** Longest period of Object Lock: 100 years. */
const MAX_LOCK_DAYS = 36_500;

/** `missing` is the message for an absent bucket. */
export const bucketNamed = (missing: string) =>
  z
    .string({ error: missing })
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be a bucket's name: 3 to 63 of a-z, 0-9, dot and dash")
    .describe("Bucket of the archive.");

/**
 * Settings of every command that archives to S3. Credentials are the SDK's own: AWS_ACCESS_KEY_ID and so on, profiles
 * and roles.
 */
export const S3Env = z.object({
  S3_BUCKET: bucketNamed("must name the bucket of the archive"),
  S3_ENDPOINT: z
    .string()
    .optional()
    .describe("URL of an S3 server other than Amazon's. The URL must be https unless the server is on this machine."),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/, "must look like eu-central-1")
    .optional()
    .describe("Region of the bucket. When empty, Weir uses AWS_REGION or the region of the profile."),
  S3_PREFIX: z
    .string()
    .regex(
      /^(?!\.{1,2}(\/|$))[\w!.*'()=-]+(\/(?!\.{1,2}(\/|$))[\w!.*'()=-]+)*\/?$/,
      "must be a folder's name, as in archive/weir, of letters, digits and !_.*'()=-",
    )
    .optional()
    .describe("Folder in the bucket with which all keys of the archive begin."),
  S3_FORCE_PATH_STYLE: flag.describe(
    "`true` puts the bucket name into the path of URLs. Most S3 servers other than Amazon's require this.",
  ),
  S3_KMS_KEY_ID: z
    .string()
    .min(1)
    .optional()
    .describe("KMS key that encrypts objects. When empty, S3 uses the key of the bucket."),
  S3_EXPECTED_BUCKET_OWNER: z
    .string()
    .regex(/^\d{12}$/, "must be an account of 12 digits")
    .optional()
    .describe("AWS account that must own the bucket."),
  S3_OBJECT_LOCK_DAYS: wholeNumber
    .refine((days) => days <= MAX_LOCK_DAYS, `must be at most ${MAX_LOCK_DAYS}`)
    .optional()
    .describe("Days for which Object Lock protects each object from removal. The bucket must have Object Lock."),
  S3_OBJECT_LOCK_MODE: z
    .enum(["GOVERNANCE", "COMPLIANCE"])
    .optional()
    .describe(
      "Mode of Object Lock. `GOVERNANCE` allows removal with the permission to bypass the lock; `COMPLIANCE` allows no removal.",
    ),
  S3_STORAGE_CLASS: z
    .enum(["STANDARD", "STANDARD_IA", "ONEZONE_IA", "INTELLIGENT_TIERING", "GLACIER_IR"])
    .optional()
    .describe("Storage class of objects. Classes that require a restore before reading are not possible."),
  S3_CHECKSUMS: z
    .enum(["always", "when-required"])
    .default("always")
    .describe("When Weir sends checksums. `when-required` leaves out the checksums that older servers refuse."),
});
