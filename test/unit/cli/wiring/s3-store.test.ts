import { describe, expect, test } from "vitest";
import { type Environment, readEnv } from "../../../../src/cli/config/config.ts";
import { S3Env } from "../../../../src/cli/config/env/s3-env.ts";
import { openS3Store, s3StoreOptions } from "../../../../src/cli/wiring/s3-store.ts";
import { ConfigInvalidError } from "../../../../src/kernel/errors.ts";
import { Lifecycle } from "../../../../src/kernel/lifecycle.ts";

const bucket = { S3_BUCKET: "weir-archive" };
const optionsOf = (env: Environment) => s3StoreOptions(readEnv(S3Env, { ...bucket, ...env }));

test("only the bucket is required, and the rest has defaults of Amazon and the SDK", () => {
  const options = optionsOf({});

  expect(options).toMatchObject({
    bucket: "weir-archive",
    prefix: "",
    endpoint: undefined,
    region: undefined,
    credentials: undefined,
    forcePathStyle: false,
    checksums: "always",
    timing: { connectMs: 3_000, requestMs: 15_000, deadlineMs: 60_000 },
  });
  for (const name of ["kmsKeyId", "expectedBucketOwner", "objectLock", "storageClass"])
    expect(options).not.toHaveProperty(name);
});

test("every variable is used", () => {
  const env = {
    S3_ENDPOINT: "https://s3.example:9000/",
    S3_REGION: "eu-central-1",
    S3_PREFIX: "archive/weir",
    S3_FORCE_PATH_STYLE: "true",
    S3_KMS_KEY_ID: "alias/weir",
    S3_EXPECTED_BUCKET_OWNER: "012345678901",
    S3_OBJECT_LOCK_DAYS: "3650",
    S3_OBJECT_LOCK_MODE: "COMPLIANCE",
    S3_STORAGE_CLASS: "GLACIER_IR",
    S3_CHECKSUMS: "when-required",
  };

  expect(optionsOf(env)).toMatchObject({
    endpoint: "https://s3.example:9000",
    region: "eu-central-1",
    prefix: "archive/weir/",
    forcePathStyle: true,
    kmsKeyId: "alias/weir",
    expectedBucketOwner: "012345678901",
    objectLock: { days: 3_650, mode: "COMPLIANCE" },
    storageClass: "GLACIER_IR",
    checksums: "when-required",
  });
});

test.each([
  ["weir", "weir/"],
  ["weir/", "weir/"],
  ["a/b.c/..d", "a/b.c/..d/"],
])("the folder %s gives the prefix %s", (folder, prefix) => {
  expect(optionsOf({ S3_PREFIX: folder }).prefix).toBe(prefix);
});

test("opening the store sends no request, and the lifecycle closes it", async () => {
  const opened = new Lifecycle();

  openS3Store(readEnv(S3Env, bucket), opened);

  expect(await opened.close(1_000)).toEqual([]);
});

describe("an invalid value is refused, and not repeated:", () => {
  test.each<[string, string, RegExp]>([
    ["S3_BUCKET", "", /S3_BUCKET: must name the bucket of the archive/],
    ["S3_BUCKET", "Hunter2", /S3_BUCKET: must be a bucket's name/],
    ["S3_BUCKET", "s3://hunter2", /S3_BUCKET: must be a bucket's name/],
    ["S3_ENDPOINT", "http://hunter2.example", /S3_ENDPOINT is http/],
    ["S3_ENDPOINT", "hunter2:9000", /S3_ENDPOINT must be an http or https URL/],
    ["S3_REGION", "hunter2.example/x", /S3_REGION: must look like eu-central-1/],
    ["S3_PREFIX", "/hunter2", /S3_PREFIX: must be a folder's name/],
    ["S3_PREFIX", "a//hunter2", /S3_PREFIX: /],
    ["S3_PREFIX", "a/../hunter2", /S3_PREFIX: /],
    ["S3_PREFIX", ".", /S3_PREFIX: /],
    ["S3_PREFIX", "hunter2 ", /S3_PREFIX: /],
    ["S3_EXPECTED_BUCKET_OWNER", "hunter2", /S3_EXPECTED_BUCKET_OWNER: must be an account of 12 digits/],
    ["S3_OBJECT_LOCK_DAYS", "0", /S3_OBJECT_LOCK_DAYS: /],
    ["S3_OBJECT_LOCK_DAYS", "36501", /S3_OBJECT_LOCK_DAYS: must be at most 36500/],
    ["S3_OBJECT_LOCK_DAYS", "30", /S3_OBJECT_LOCK_DAYS and S3_OBJECT_LOCK_MODE must be set together/],
    ["S3_OBJECT_LOCK_MODE", "COMPLIANCE", /S3_OBJECT_LOCK_DAYS and S3_OBJECT_LOCK_MODE must be set together/],
    ["S3_OBJECT_LOCK_MODE", "hunter2", /S3_OBJECT_LOCK_MODE: /],
    ["S3_STORAGE_CLASS", "DEEP_ARCHIVE", /S3_STORAGE_CLASS: /],
    ["S3_CHECKSUMS", "never", /S3_CHECKSUMS: /],
  ])("%s=%s", (name, value, message) => {
    const read = () => optionsOf({ [name]: value });

    expect(read).toThrow(ConfigInvalidError);
    expect(read).toThrow(message);
    expect(read).not.toThrow(/hunter2/i);
  });
});
