import { expect } from "vitest";
import { s3Env } from "../servers/s3-server.ts";
import { s3Test, sharedS3 } from "../servers/s3-tests.ts";
import { run } from "../support/weir.ts";

s3Test(
  "weir audit of another prefix than the archive's finds nothing archived; with a lock it asks for versions",
  async () => {
    const env = { ...s3Env(sharedS3()), S3_PREFIX: `nobody/${crypto.randomUUID()}` };
    const lock = { S3_OBJECT_LOCK_DAYS: "1", S3_OBJECT_LOCK_MODE: "COMPLIANCE" };

    const plain = await run(["audit"], env);
    const locked = await run(["audit"], { ...env, ...lock });

    const nothing = "nothing_archived  topic  there is no object of screening.verdicts below the prefix";
    expect([plain.status, plain.stdout.split("\n")[0]]).toEqual([2, nothing]);
    // s3proxy keeps no versions, and reports that. The result is no clean audit.
    const where = `${env.S3_PREFIX}/v1/screening.verdicts/ in the S3 bucket weir-test`;
    const message = `cannot list the versions of ${where}: the server lacks`;
    expect([locked.status, locked.stderr]).toEqual([1, expect.stringContaining(message)]);
  },
);
