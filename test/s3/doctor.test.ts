import { expect } from "vitest";
import { s3Test, sharedS3 } from "../servers/s3-tests.ts";
import { run } from "../support/weir.ts";

s3Test("weir doctor finds a real bucket well, and says of a wrong secret what to correct", async () => {
  const { bucket, endpoint, region, credentials } = sharedS3();
  const env = {
    KAFKA_BROKERS: "127.0.0.1:1",
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_FORCE_PATH_STYLE: "true",
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  const lastLine = async (own: Readonly<Record<string, string>> = {}) =>
    (await run(["doctor"], { ...env, ...own })).stdout.trimEnd().split("\n").at(-1);

  const well = `ok    bucket  ${bucket} can be listed, written to and read, and overwrites nothing`;
  expect(await lastLine()).toBe(well);
  expect(await lastLine()).toBe(well);
  expect(await lastLine({ AWS_SECRET_ACCESS_KEY: "wrong" })).toMatch(
    /^FAIL {2}bucket {2}.*correct AWS_SECRET_ACCESS_KEY/,
  );
});
