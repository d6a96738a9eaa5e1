import { beforeEach, describe, expect, test, vi } from "vitest";
import { objectAt } from "../../../ports/archive-store-suite.ts";
import { secrets, sendError, storeBefore } from "../../../support/s3-answers.ts";
import { shown } from "../../../support/shown.ts";

const never = new AbortController().signal;
const object = objectAt({ topic: "verdicts", partition: 0, next: 0, previousSha256: "" }, 3);

function failureOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => new Error("it did not fail"),
    (thrown: Error) => thrown,
  );
}

test.each([
  [{ checksums: "when-required" }, /for invalid: see what the server supports \(400 InvalidRequest\)$/],
  [
    { checksums: "when-required", objectLock: { mode: "GOVERNANCE", days: 1 } },
    /for invalid: Object Lock \(S3_OBJECT_LOCK_DAYS\) needs a bucket that was made with it \(400 InvalidRequest\)$/,
  ],
] as const)("an invalid request with %j names only optional settings in use", async (options, message) => {
  const { store } = await storeBefore((_request, response) => sendError(response, 400, "InvalidRequest"), options);

  expect((await failureOf(store.putNew(object, never))).message).toMatch(message);
});

test.each<[number, string, RegExp]>([
  [404, "NoSuchBucket", /there is no such bucket: create it, or correct S3_BUCKET/],
  [
    403,
    "AccessDenied",
    /access is denied: the role needs s3:PutObject, .*kms:GenerateDataKey.* S3_EXPECTED_BUCKET_OWNER's/,
  ],
  [403, "InvalidAccessKeyId", /nobody knows the access key: correct AWS_ACCESS_KEY_ID/],
  [403, "SignatureDoesNotMatch", /the signature does not match: correct AWS_SECRET_ACCESS_KEY/],
  [400, "ExpiredToken", /the session has ended or is none/],
  [403, "RequestTimeTooSkewed", /set this machine's clock/],
  [301, "PermanentRedirect", /the bucket is in another region than eu-central-1: correct S3_REGION/],
  [400, "AuthorizationHeaderMalformed", /in another region/],
  [
    400,
    "InvalidRequest",
    /takes the request for invalid: an older server may refuse checksums: set S3_CHECKSUMS=when-/,
  ],
  [400, "InvalidArgument", /set S3_CHECKSUMS=when-required/],
  [400, "XAmzContentSHA256Mismatch", /set S3_CHECKSUMS=when-required/],
  [400, "KMS.DisabledException", /the KMS key cannot be used: correct S3_KMS_KEY_ID/],
  [501, "NotImplemented", /it must know If-None-Match/],
  [403, "Whatever", /access is denied: .*; or the credentials are wrong \(403 Whatever\)/],
  [400, "Whatever", /the server refused \(400 Whatever\): see what it supports/],
])("%s %s has a remedy, and repeats nothing of the request", async (status, code, message) => {
  const { store, received } = await storeBefore((request, response) => sendError(response, status, code, request), {
    kmsKeyId: "key",
    expectedBucketOwner: "123456789012",
  });

  const thrown = await failureOf(store.putNew(object, never));

  expect(thrown).toMatchObject({
    code: "STORE_UNAVAILABLE",
    message: expect.stringMatching(message),
    context: { operation: "PutObject", bucket: "weir-unit", name: code, status, requestId: "REQUEST1" },
  });
  expect(thrown.message).toMatch(`cannot put ${object.key} in the S3 bucket weir-unit: `);
  expect(thrown.message).toContain(`(${status} ${code})`);
  expect(received).toHaveLength(1);
  const signature = /Signature=(\w+)/.exec(received[0]?.headers.authorization ?? "")?.[1] ?? "none";
  for (const secret of [secrets.secretAccessKey, secrets.sessionToken, signature]) {
    expect(shown(thrown)).not.toContain(secret);
  }
});

test("a HEAD without a body is read by its status", async () => {
  for (const [status, message] of [
    [403, /access is denied: the role needs s3:GetObject and s3:ListBucket; or the credentials are wrong/],
    [301, /the bucket is in another region than eu-central-1/],
    [400, /the server refused \(400/],
  ] as const) {
    const { store } = await storeBefore((_, response) => void response.writeHead(status).end());

    expect((await failureOf(store.head("k", never))).message).toMatch(message);
  }
});

test("a missing bucket is distinguished from a missing object", async () => {
  const { store } = await storeBefore((_, response) => void response.writeHead(404).end());

  expect((await failureOf(store.head("k", never))).message).toMatch(/there is no such bucket/);
});

test("a server that is no S3 server is reported as such", async () => {
  const { store } = await storeBefore((_, response) => void response.end("<html><p>welcome</body>"));

  const thrown = await failureOf(Array.fromAsync(store.list("", never)));

  expect(thrown).toMatchObject({ code: "STORE_UNAVAILABLE", message: expect.stringMatching(/names an S3 server/) });
});

test("an HTML page in place of an error is read by its status", async () => {
  const { store } = await storeBefore(
    (_, response) => void response.writeHead(404).end("<!doctype html><p>no<br>page"),
  );

  const thrown = await failureOf(Array.fromAsync(store.list("", never)));

  expect(thrown).toMatchObject({
    code: "STORE_UNAVAILABLE",
    message: expect.stringMatching(/404.*names an S3 server/),
  });
});

describe("on a machine without settings of Amazon", () => {
  beforeEach(() => {
    for (const name of ["REGION", "DEFAULT_REGION", "PROFILE", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY", "SESSION_TOKEN"])
      vi.stubEnv(`AWS_${name}`, undefined);
    vi.stubEnv("AWS_CONFIG_FILE", "/nowhere");
    vi.stubEnv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere");
    vi.stubEnv("AWS_EC2_METADATA_DISABLED", "true");
    return () => vi.unstubAllEnvs();
  });

  test.each([
    [{ region: undefined }, /there is no region: set S3_REGION/],
    [{ credentials: undefined }, /there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/],
  ])("without %j the error names the variables to set", async (missing, message) => {
    const { store, received } = await storeBefore((_, response) => void response.end(), missing);

    expect((await failureOf(store.head("k", never))).message).toMatch(message);
    expect(received).toEqual([]);
  });
});
