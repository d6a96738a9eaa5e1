import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { packLines } from "../../../../src/adapters/gzip/packed-lines.ts";
import { toUserMetadata } from "../../../../src/adapters/s3/object-metadata.ts";
import { FakeClock } from "../../../fakes/fake-clock.ts";
import { objectAt } from "../../../ports/archive-store-suite.ts";
import type { Received } from "../../../support/http-server.ts";
import { sendError, sendPage, storeBefore, takingPuts } from "../../../support/s3-answers.ts";
import { rejections } from "../../../support/shown.ts";

const nothing: Received = { method: "", url: "", headers: {}, body: "" };
const never = new AbortController().signal;
const object = objectAt({ topic: "verdicts", partition: 0, next: 0, previousSha256: "" }, 3);
const stored = { key: object.key, metadata: object.metadata };
const described = Object.fromEntries(
  Object.entries(toUserMetadata(object.metadata)).map(([name, value]) => [`x-amz-meta-${name}`, value]),
);
/** The object under a key in a HEAD answer. */
const told = { etag: '"1"', ...described };

describe("a put", () => {
  test("is conditional, typed as a gzip file, described, and checked by SHA-256", async () => {
    const { store, received } = await storeBefore(takingPuts());

    expect(await store.putNew(object, never)).toBeUndefined();

    const [{ method, url, headers } = nothing] = received;
    expect(method).toBe("PUT");
    expect(decodeURIComponent(url)).toBe(`/weir-unit/${object.key}?x-id=PutObject`);
    expect(headers).toMatchObject({ "if-none-match": "*", "content-type": "application/gzip", ...described });
    expect(headers).not.toHaveProperty("content-encoding");
    expect(headers).not.toHaveProperty("transfer-encoding");
    const sha256 = Buffer.from(String(headers["x-amz-content-sha256"]), "hex").toString("base64");
    expect(headers).toMatchObject({ "x-amz-sdk-checksum-algorithm": "SHA256", "x-amz-checksum-sha256": sha256 });
    expect(Object.keys(headers).filter((name) => /lock|encryption|storage|owner/.test(name))).toEqual([]);
  });

  test("requests the configured encryption, lock, class and owner", async () => {
    const { store, received } = await storeBefore(takingPuts(), {
      kmsKeyId: "arn:aws:kms:eu-central-1:123456789012:key/1",
      expectedBucketOwner: "123456789012",
      objectLock: { mode: "COMPLIANCE", days: 3_650 },
      storageClass: "STANDARD_IA",
      checksums: "when-required",
      clock: new FakeClock(Date.UTC(2026, 0, 1)),
    });

    await store.putNew(object, never);

    expect(received[0]?.headers).toMatchObject({
      "x-amz-server-side-encryption": "aws:kms",
      "x-amz-server-side-encryption-aws-kms-key-id": "arn:aws:kms:eu-central-1:123456789012:key/1",
      "x-amz-expected-bucket-owner": "123456789012",
      "x-amz-object-lock-mode": "COMPLIANCE",
      "x-amz-object-lock-retain-until-date": "2035-12-30T00:00:00Z",
      "x-amz-storage-class": "STANDARD_IA",
      // A lock needs a checksum, whatever S3_CHECKSUMS is.
      "x-amz-sdk-checksum-algorithm": "SHA256",
    });
  });

  test("of some MiB is sent at once, without an Expect header", async () => {
    const { store, received } = await storeBefore(takingPuts());

    await store.putNew({ ...object, lines: randomBytes(3 << 20) }, never);

    expect(received.map(({ method }) => method)).toEqual(["PUT", "HEAD"]);
    expect(received[0]?.headers).not.toHaveProperty("expect");
  });

  test("has additional time for its bytes on a slow connection, beyond the deadline", async () => {
    const taking = takingPuts();
    const { store, received } = await storeBefore(
      (request, response) => {
        if (request.method === "PUT") setTimeout(() => taking(request, response), 2_500);
        else taking(request, response);
      },
      { timing: { connectMs: 2_000, requestMs: 30_000, deadlineMs: 2_000 } },
    );

    expect(await store.putNew({ ...object, lines: randomBytes(3 << 20) }, never)).toBeUndefined();
    expect(received.map(({ method }) => method)).toEqual(["PUT", "HEAD"]);
  });

  test("that fails and is retried is packed once", async () => {
    let isAway = true;
    const taking = takingPuts();
    const { store, received } = await storeBefore((request, response) => {
      if (isAway) sendError(response, 403, "AccessDenied");
      else taking(request, response);
    });
    const again = { ...object, lines: Buffer.from(object.lines) };
    await rejections([store.putNew(again, never)]);
    again.lines.fill(" ");
    isAway = false;

    expect(await store.putNew(again, never)).toBeUndefined();
    expect(received[1]?.body).toBe(received[0]?.body);
  });

  test("with a taken key is not sent again, and returns the existing object", async () => {
    const { store, received } = await storeBefore(({ method }, response) => {
      if (method === "PUT") sendError(response, 412, "PreconditionFailed");
      else response.writeHead(200, told).end();
    });

    expect(await store.putNew(object, never)).toEqual(stored);
    expect(received.map(({ method }) => method)).toEqual(["PUT", "HEAD"]);
  });

  test("with a lost answer is sent again, and returns the object that it stored", async () => {
    let puts = 0;
    const { store, received } = await storeBefore(({ method }, response) => {
      if (method === "HEAD") response.writeHead(200, told).end();
      else if (++puts === 1) response.destroy();
      else sendError(response, 412, "PreconditionFailed");
    });

    expect(await store.putNew(object, never)).toEqual(stored);
    expect(received.map(({ method }) => method)).toEqual(["PUT", "PUT", "HEAD"]);
  });

  test("that conflicts with another put of its key is sent again", async () => {
    let puts = 0;
    const take = takingPuts();
    const { store, received } = await storeBefore((request, response) => {
      if (++puts < 3) sendError(response, 409, "ConditionalRequestConflict");
      else take(request, response);
    });

    expect(await store.putNew(object, never)).toBeUndefined();
    expect(received.map(({ method }) => method)).toEqual(["PUT", "PUT", "PUT", "HEAD"]);
  });

  test("is given up when the key is taken and empty in turns", async () => {
    const { store, received } = await storeBefore(({ method, url }, response) => {
      if (method === "PUT") sendError(response, 412, "PreconditionFailed");
      else response.writeHead(url.includes("verdicts") ? 404 : 200).end();
    });

    await expect(store.putNew(object, never)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringMatching(/says that something stands there, and that nothing does$/),
    });
    expect(received.filter(({ method }) => method === "PUT")).toHaveLength(3);
  });
});

test("without checksums sends none, and requests none", async () => {
  const { store, received } = await storeBefore(takingPuts(), {
    checksums: "when-required",
  });

  await store.putNew(object, never);
  await rejections([store.lines(object.key, never)]);

  expect(received.map(({ method }) => method)).toEqual(["PUT", "HEAD", "GET"]);
  const names = received.flatMap(({ headers }) => Object.keys(headers));
  expect(names.filter((name) => /checksum/.test(name))).toEqual([]);
});

test("every request names the owner, and a read requests the checksum", async () => {
  const { store, received } = await storeBefore((_, response) => void response.writeHead(404).end(), {
    expectedBucketOwner: "123456789012",
  });

  await rejections([
    store.head("k", never),
    store.lines("k", never),
    Array.fromAsync(store.list("", never)),
    store.putNew(object, never),
  ]);

  expect(received.map(({ method }) => method).sort()).toEqual(["GET", "GET", "HEAD", "HEAD", "PUT"]);
  expect(received.every(({ headers }) => headers["x-amz-expected-bucket-owner"] === "123456789012")).toBe(true);
  const checked = received.filter(({ headers }) => headers["x-amz-checksum-mode"] === "ENABLED");
  expect(checked.map(({ url }) => url)).toEqual(["/weir-unit/k?x-id=GetObject"]);
});

describe("a temporary failure is retried with eight attempts:", () => {
  test.concurrent.each<[string, Parameters<typeof storeBefore>[0], RegExp]>([
    [
      "503",
      (_, response) => sendError(response, 503, "ServiceUnavailable"),
      /the server failed \(503 ServiceUnavailable\)/,
    ],
    ["a reset", (_, response) => void response.destroy(), /no answer \(ECONNRESET\)/],
    ["a proxy's page", (_, response) => void response.writeHead(502).end("<html>"), /the server failed \(502/],
    ["409", (_, response) => sendError(response, 409, "OperationAborted"), /refused \(409 OperationAborted\)/],
  ])("%s", async (_, answer, message) => {
    const { store, received } = await storeBefore(answer);

    await expect(store.putNew(object, never)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      retryable: true,
      message: expect.stringMatching(message),
      context: { attempts: 8 },
    });
    expect(received).toHaveLength(8);
  });

  test.concurrent("a missing answer", async () => {
    const timing = { connectMs: 500, requestMs: 50, deadlineMs: 20_000 };
    const { store, received } = await storeBefore(() => undefined, { timing });

    await expect(store.putNew(object, never)).rejects.toThrow(/no answer \(ETIMEDOUT\)/);
    expect(received).toHaveLength(8);
  });

  test.concurrent("until the deadline, in the middle of the attempts", async () => {
    const timing = { connectMs: 500, requestMs: 200, deadlineMs: 500 };
    const { store, received } = await storeBefore(() => undefined, { timing });

    await expect(store.head("k", never)).rejects.toThrow(/no answer within 500 ms$/);
    const sent = received.length;
    expect(sent).toBeLessThan(4);
    // As long as three more attempts would take. One attempt may have been in flight at the deadline.
    await delay(1_500);
    expect(received.length - sent).toBeLessThanOrEqual(1);
  });

  test.concurrent("and ends with success", async () => {
    let asked = 0;
    const { store } = await storeBefore((_, response) => {
      if (++asked < 4) sendError(response, 503, "SlowDown");
      else response.writeHead(200, told).end();
    });

    expect(await store.head(object.key, never)).toEqual(stored);
  });
});

test("a slow answer is given up at the deadline plus the time of its bytes on a slow connection", async () => {
  const timing = { connectMs: 500, requestMs: 500, deadlineMs: 1_000 };
  const { store } = await storeBefore(
    (_, response) => {
      response.writeHead(200, { "content-length": "512000" });
      const timer = setInterval(() => response.write("x"), 100);
      response.once("close", () => clearInterval(timer));
    },
    { timing },
  );

  await expect(store.lines("k", never)).rejects.toThrow(/no answer within 2000 ms$/);
});

test("a text beside the objects reads unchanged, and an absent one is undefined", async () => {
  const { store } = await storeBefore(({ url }, response) => {
    if (url?.includes("a.json")) response.writeHead(200, { etag: '"1"' }).end("{}\n");
    else sendError(response, 404, "NoSuchKey");
  });

  expect(await store.text("lists/a.json", never)).toBe("{}\n");
  expect(await store.text("lists/b.json", never)).toBeUndefined();
});

describe("the versions in a bucket", () => {
  const page = (response: ServerResponse, own: string) =>
    response
      .writeHead(200, { "content-type": "application/xml" })
      .end(`<?xml version="1.0"?><ListVersionsResult>${own}</ListVersionsResult>`);

  test("are listed page by page, below the prefix, including deletions", async () => {
    const { store, received } = await storeBefore(
      ({ url }, response) => {
        const isFirst = !url.includes("key-marker");
        const next = "<NextKeyMarker>w/v1/a</NextKeyMarker><NextVersionIdMarker>7</NextVersionIdMarker>";
        const version = "<Version><Key>w/v1/a</Key><VersionId>7</VersionId></Version>";
        const others = "<DeleteMarker><Key>w/v1/a</Key></DeleteMarker><Version><Key>w/v1/b</Key></Version>";
        page(
          response,
          isFirst ? `<IsTruncated>true</IsTruncated>${next}${version}` : `<IsTruncated>false</IsTruncated>${others}`,
        );
      },
      { prefix: "w/" },
    );

    expect(await Array.fromAsync(store.versions("v1/", never))).toEqual([
      { key: "v1/a", isDeletion: false },
      { key: "v1/b", isDeletion: false },
      { key: "v1/a", isDeletion: true },
    ]);
    expect(received.map(({ url }) => decodeURIComponent(url))).toEqual([
      "/weir-unit/?prefix=w/v1/&versions=",
      "/weir-unit/?key-marker=w/v1/a&prefix=w/v1/&version-id-marker=7&versions=",
    ]);
  });

  test.each([
    ["a page of somebody in between", "", /none of S3's/],
    ["more, without saying where", "<IsTruncated>true</IsTruncated>", /does not say where/],
  ])("are unknown from %s", async (_what, own, message) => {
    const { store } = await storeBefore((_, response) => void page(response, own));

    await expect(Array.fromAsync(store.versions("v1/", never))).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringMatching(message),
    });
  });

  test("need a separate permission, which the error names", async () => {
    const { store } = await storeBefore((_, response) => sendError(response, 403, "AccessDenied"));

    await expect(Array.fromAsync(store.versions("v1/", never))).rejects.toThrow(
      /^cannot list the versions of v1\/ in the S3 bucket weir-unit: access is denied: the role needs s3:ListBucketVersions/,
    );
  });
});

test("a stopped caller gets its own reason, at once", async () => {
  const controller = new AbortController();
  const reason = new Error("shutting down");
  const { store } = await storeBefore(() => controller.abort(reason));

  await expect(store.head("k", controller.signal)).rejects.toBe(reason);
});

test("requests in the queue do not count as connection failures", async () => {
  let [now, most] = [0, 0];
  const { store } = await storeBefore(
    (_, response) => {
      most = Math.max(most, ++now);
      setTimeout(() => {
        now--;
        response.writeHead(200, told).end();
      }, 150);
    },
    { timing: { connectMs: 400, requestMs: 5_000, deadlineMs: 20_000 } },
  );

  const found = await Promise.all(Array.from({ length: 80 }, () => store.head(object.key, never)));

  expect(found).toEqual(Array(80).fill(stored));
  expect(most).toBe(16);
});

test("more objects than connections are read at once, each in its turn", async () => {
  const lines = randomBytes(2 << 20);
  const packed = await packLines(lines);
  const { store } = await storeBefore((_, response) => void response.writeHead(200, { etag: '"1"' }).end(packed), {
    timing: { connectMs: 2_000, requestMs: 2_000, deadlineMs: 20_000 },
  });

  const read = await Promise.all(Array.from({ length: 40 }, () => store.lines("k", never)));

  expect(read.every((each) => lines.equals(each ?? lines.subarray(1)))).toBe(true);
});

test.each([[object.lines], [randomBytes(3 << 20)]])("no object is sent to a refused address", async (lines) => {
  const { store } = await storeBefore(() => undefined, {
    endpoint: "https://s3.example",
    lookup: (_host, _options, done) => done(null, [{ address: "169.254.169.254", family: 4 }]),
  });

  await expect(store.putNew({ ...object, lines }, never)).rejects.toMatchObject({
    code: "STORE_UNAVAILABLE",
    message: expect.stringMatching(/s3\.example, the host of S3_ENDPOINT, resolves to 169\.254\.169\.254/),
  });
});

describe("a listing", () => {
  test("goes on from page to page, and removes the prefix", async () => {
    const { store, received } = await storeBefore(
      ({ url }, response) => {
        if (url.includes("continuation-token=next")) sendPage(response, ["folder/c"]);
        else sendPage(response, ["folder/a", "folder/b"], "next");
      },
      { prefix: "folder/" },
    );

    expect(await Array.fromAsync(store.list("", never))).toEqual(["a", "b", "c"].map((key) => ({ key, bytes: 3 })));
    expect(received.map(({ url }) => new URL(url, "http://x").searchParams.get("prefix"))).toEqual([
      "folder/",
      "folder/",
    ]);
  });

  test.each<[string, readonly string[], string | undefined, RegExp]>([
    ["repeats itself", ["a", "b"], "again", /does not list keys in their order$/],
    ["lists in disorder", ["b", "a"], undefined, /does not list keys in their order$/],
    ["stops in the middle", ["a"], undefined, /has more, and does not say where$/],
  ])("from a server that %s is refused", async (_, keys, next, message) => {
    const { store } = await storeBefore((_request, response) => sendPage(response, keys, next, true));

    await expect(Array.fromAsync(store.list("", never))).rejects.toThrow(message);
  });
});
