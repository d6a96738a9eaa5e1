import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { packLines } from "../../../../src/adapters/gzip/packed-lines.ts";
import { toUserMetadata } from "../../../../src/adapters/s3/object-metadata.ts";
import { objectAt } from "../../../ports/archive-store-suite.ts";
import { storeBefore } from "../../../support/s3-answers.ts";

const never = new AbortController().signal;
const object = objectAt({ topic: "verdicts", partition: 0, next: 0, previousSha256: "" }, 3);
const metadata = Object.fromEntries(
  Object.entries(toUserMetadata(object.metadata)).map(([name, value]) => [`x-amz-meta-${name}`, value]),
);
const etag = { etag: '"1"' };
const bytes = { "content-length": String((await packLines(object.lines)).byteLength) };
const html = { "content-type": "text/html; charset=utf-8" };
const page = "<html><body>maintenance</body></html>";

const operations = ["put", "head", "get", "list"] as const;

/** Successful answers of a server between Weir and S3. */
const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  "a page": (response) => void response.writeHead(200, html).end(page),
  "a page that is cached": (response) => void response.writeHead(200, { ...html, ...etag }).end(page),
  nothing: (response) => void response.writeHead(204).end(),
};

describe.each(Object.entries(answers))("%s in place of S3's answer is an outage,", (_name, answer) => {
  test.each(operations)("to a %s", async (operation) => {
    const { store } = await storeBefore((_request, response) => answer(response));
    const ask = {
      put: () => store.putNew(object, never),
      head: () => store.head(object.key, never),
      get: () => store.lines(object.key, never),
      list: () => Array.fromAsync(store.list("v1/", never)),
    };

    await expect(ask[operation]()).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      retryable: true,
      message: expect.stringMatching(/the answer is none of S3's/),
    });
  });
});

describe("an accepted put is verified:", () => {
  const tookAndShows = (head: (response: ServerResponse) => void) =>
    storeBefore(({ method }, response) => {
      if (method === "PUT") response.writeHead(200, etag).end();
      else head(response);
    });

  test("it counts as stored when the object equals the put one", async () => {
    const { store, received } = await tookAndShows((response) => {
      response.writeHead(200, { ...etag, ...metadata, ...bytes }).end();
    });

    expect(await store.putNew(object, never)).toBeUndefined();
    expect(received.map(({ method }) => method)).toEqual(["PUT", "HEAD"]);
  });

  test("it does not count as stored when the object is missing", async () => {
    const { store } = await storeBefore(({ method, url }, response) => {
      if (method === "PUT") response.writeHead(200, etag).end();
      else response.writeHead(url.includes("verdicts") ? 404 : 200).end();
    });

    await expect(store.putNew(object, never)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringMatching(/says that it is stored, and that nothing stands there$/),
    });
  });

  test("another object under the key is returned", async () => {
    const other = { ...object.metadata, sha256: "0".repeat(64) };
    const { store } = await tookAndShows((response) => {
      response.writeHead(200, { ...etag, ...metadata, ...bytes, "x-amz-meta-sha256": other.sha256 }).end();
    });

    expect(await store.putNew(object, never)).toEqual({ key: object.key, metadata: other });
  });

  test("a truncated object is an error", async () => {
    const { store } = await tookAndShows((response) => {
      response.writeHead(200, { ...etag, ...metadata, "content-length": "7" }).end();
    });

    await expect(store.putNew(object, never)).rejects.toMatchObject({
      code: "OBJECT_UNREADABLE",
      message: expect.stringMatching(/has 7 bytes, and \d+ were put: the server shortened the object$/),
    });
  });

  test("when the verification fails, the next try finds the stored object", async () => {
    let heads = 0;
    const { store } = await storeBefore(({ method }, response) => {
      if (method === "PUT") response.writeHead(heads === 0 ? 200 : 412, etag).end();
      else if (++heads === 1) response.writeHead(403).end();
      else response.writeHead(200, { ...etag, ...metadata, ...bytes }).end();
    });

    await expect(store.putNew(object, never)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(await store.putNew(object, never)).toEqual({ key: object.key, metadata: object.metadata });
  });
});
