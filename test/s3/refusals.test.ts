import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { expect, onTestFinished, vi } from "vitest";
import { readEnv } from "../../src/cli/config/config.ts";
import { S3Env } from "../../src/cli/config/env/s3-env.ts";
import { openS3Store } from "../../src/cli/wiring/s3-store.ts";
import { Lifecycle } from "../../src/kernel/lifecycle.ts";
import { objectAt } from "../ports/archive-store-suite.ts";
import type { S3Access } from "../servers/s3-server.ts";
import { s3Test, sharedS3 } from "../servers/s3-tests.ts";
import { storeOn } from "../support/s3-store.ts";
import { rejections, shown } from "../support/shown.ts";

const never = new AbortController().signal;
const object = objectAt({ topic: "verdicts", partition: 0, next: 0, previousSha256: "" }, 2);
const marker = "MARKERmarkerMARKERmarker0000000000000000";

async function refusalOf(access: S3Access): Promise<Error> {
  const thrown = await storeOn(access)
    .putNew(object, never)
    .catch((error: unknown) => error);
  expect(thrown).toMatchObject({ code: "STORE_UNAVAILABLE" });
  return thrown as Error;
}

s3Test("a wrong secret is refused, with what to do and without the secret", async () => {
  const access = sharedS3();
  const credentials = { ...access.credentials, secretAccessKey: marker };

  const thrown = await refusalOf({ ...access, credentials });

  expect(thrown.message).toMatch(
    /the signature does not match: correct AWS_SECRET_ACCESS_KEY.* \(403 SignatureDoesNotMatch\)/,
  );
  expect(shown(thrown)).not.toContain(marker);
});

s3Test("an access key that nobody knows is refused, with what to do", async () => {
  const access = sharedS3();
  const credentials = { accessKeyId: "AKIAUNKNOWN", secretAccessKey: marker };

  const thrown = await refusalOf({ ...access, credentials });

  expect(thrown.message).toMatch(/nobody knows the access key: correct AWS_ACCESS_KEY_ID/);
  expect(shown(thrown)).not.toContain(marker);
});

s3Test("a bucket that is not there is told from an object that is not there", async () => {
  const access = { ...sharedS3(), bucket: "weir-no-such-bucket" };
  const store = storeOn(access);

  const thrown = await rejections([
    store.putNew(object, never),
    store.head(object.key, never),
    store.lines(object.key, never),
    Array.fromAsync(store.list("", never)),
  ]);

  const message = /weir-no-such-bucket: there is no such bucket: create it, or correct S3_BUCKET/;
  const noBucket = { code: "STORE_UNAVAILABLE", message: expect.stringMatching(message) };
  expect(thrown).toMatchObject(Array(4).fill(noBucket));
});

s3Test("what another process put there is no object of the archive", async () => {
  const access = sharedS3();
  const { endpoint, region, credentials, bucket } = access;
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  onTestFinished(() => client.destroy());
  const prefix = `foreign-${crypto.randomUUID()}/`;
  const store = storeOn(access, { prefix });
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: prefix + object.key, Body: "x" }));

  const thrown = await rejections([store.putNew(object, never), store.head(object.key, never)]);

  const unreadable = {
    code: "OBJECT_UNREADABLE",
    message: expect.stringContaining(`${prefix}${object.key} in the S3 bucket ${bucket} lacks the x-amz-meta-schema`),
  };
  expect(thrown).toMatchObject([unreadable, unreadable]);
  await expect(store.lines(object.key, never)).rejects.toMatchObject({ code: "OBJECT_UNREADABLE" });
});

s3Test("the store is opened from the environment, with the SDK's own credentials, below its folder", async () => {
  const { endpoint, region, bucket, credentials } = sharedS3();
  vi.stubEnv("AWS_ACCESS_KEY_ID", credentials.accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", credentials.secretAccessKey);
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = `folder-${crypto.randomUUID()}`;
  const env = {
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_PREFIX: folder,
    S3_FORCE_PATH_STYLE: "true",
  };
  const opened = new Lifecycle();
  const store = openS3Store(readEnv(S3Env, env), opened);

  await store.putNew(object, never);

  const { key, metadata } = object;
  expect(await storeOn(sharedS3(), { prefix: `${folder}/` }).head(key, never)).toEqual({ key, metadata });
  expect(await opened.close(1_000)).toEqual([]);
});
