import { expect } from "vitest";
import { s3Env } from "../servers/s3-server.ts";
import { s3Test, sharedS3 } from "../servers/s3-tests.ts";
import { run } from "../support/weir.ts";

s3Test("weir doctor finds a real bucket well, and says of a wrong secret what to correct", async () => {
  const access = sharedS3();
  const env = {
    KAFKA_BROKERS: "127.0.0.1:1",
    ...s3Env(access),
  };
  const lastLine = async (own: Readonly<Record<string, string>> = {}) =>
    (await run(["doctor"], { ...env, ...own })).stdout.trimEnd().split("\n").at(-1);

  const well = `ok    bucket  ${access.bucket} can be listed, written to and read, and overwrites nothing`;
  expect(await lastLine()).toBe(well);
  expect(await lastLine()).toBe(well);
  expect(await lastLine({ AWS_SECRET_ACCESS_KEY: "wrong" })).toMatch(
    /^FAIL {2}bucket {2}.*correct AWS_SECRET_ACCESS_KEY/,
  );
});
