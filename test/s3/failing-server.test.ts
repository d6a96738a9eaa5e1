import { randomBytes } from "node:crypto";
import { stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { objectAt } from "../ports/archive-store-suite.ts";
import { type Fault, type FaultProxy, startProxy } from "../servers/fault-proxy.ts";
import { type S3Server, startS3 } from "../servers/s3-server.ts";
import { s3ServerTest, startsOwnServers } from "../servers/s3-tests.ts";
import { eventually } from "../support/eventually.ts";
import { storeOn } from "../support/s3-store.ts";
import { rejections } from "../support/shown.ts";

const never = new AbortController().signal;
const object = objectAt({ topic: "verdicts", partition: 0, next: 0, previousSha256: "" }, 50);
const stored = { key: object.key, metadata: object.metadata };

const closers: (() => Promise<void>)[] = [];
let server: S3Server;
/** A proxy between `server` and its clients. It passes traffic again after each test. */
let proxy: FaultProxy;

beforeAll(async () => {
  if (!startsOwnServers) return;
  server = await startS3({
    advertise: async (port) => {
      proxy = await startProxy({ target: { host: "127.0.0.1", port } });
      closers.push(() => proxy.close());
      return proxy.port;
    },
  });
  closers.push(() => server.close());
}, 60_000);
afterAll(() => Promise.all(closers.map((close) => close())));

/** Sets a fault for this test alone. */
async function fault(fault: Fault): Promise<void> {
  onTestFinished(() => proxy.set({ mode: "pass" }));
  await proxy.set(fault);
}

s3ServerTest("a put whose answer was lost is told of the object it has stored", async () => {
  const prefix = "lost-answer/";
  const store = storeOn(server, { prefix });
  const file = path.join(server.bucketFolder, prefix, object.key);
  await fault({ mode: "latency", ms: 700 });

  const putting = store.putNew(object, never);
  await eventually(
    () => stat(file).catch(() => undefined),
    (found) => found !== undefined,
    "the object is stored",
  );
  proxy.cut();
  await proxy.set({ mode: "pass" });

  expect(await putting).toEqual(stored);
  expect(Buffer.from((await store.lines(object.key, never)) ?? [])).toEqual(Buffer.from(object.lines));
});

s3ServerTest("a server that takes everything and says nothing is unavailable at the deadline", async () => {
  const timing = { connectMs: 500, requestMs: 1_000, deadlineMs: 3_000 };
  const store = storeOn(server, { timing });
  await store.putNew(object, never);
  await fault({ mode: "blackHole" });

  const from = performance.now();
  const thrown = await rejections([
    store.putNew(object, never),
    store.head(object.key, never),
    store.lines(object.key, never),
    Array.fromAsync(store.list("", never)),
  ]);
  const unavailable = {
    code: "STORE_UNAVAILABLE",
    retryable: true,
    message: expect.stringMatching(/no answer within 3000 ms/),
  };
  expect(thrown).toMatchObject(Array(4).fill(unavailable));
  expect(performance.now() - from).toBeLessThan(5_000);

  await proxy.set({ mode: "pass" });
  expect(await store.head(object.key, never)).toEqual(stored);
});

s3ServerTest("a slow line is given the time that an object needs on it, beyond the limits of a request", async () => {
  const timing = { connectMs: 3_000, requestMs: 5_000, deadlineMs: 6_000 };
  const store = storeOn(server, { prefix: "slow/", timing });
  await fault({ mode: "bandwidth", bytesPerSec: 3_000_000 });

  const lines = randomBytes(30_000_000);

  expect(await store.putNew({ ...object, lines }, never)).toBeUndefined();
  expect(Buffer.from((await store.lines(object.key, never)) ?? []).equals(lines)).toBe(true);
});

s3ServerTest("an answer that is cut off in the middle is unavailable, not damaged", async () => {
  const prefix = "cut-off/";
  const store = storeOn(server, { prefix });
  await store.putNew(object, never);
  await writeFile(path.join(server.bucketFolder, prefix, object.key), Buffer.alloc(1 << 20, 7));
  await fault({ mode: "bandwidth", bytesPerSec: 100_000 });

  const reading = store.lines(object.key, never).catch((thrown: unknown) => thrown);
  await delay(2_000);
  proxy.cut();

  expect(await reading).toMatchObject({ code: "STORE_UNAVAILABLE" });
});

s3ServerTest("a server that was killed and started again is asked again, over new connections", async () => {
  const store = storeOn(server);
  await store.putNew(object, never);
  await server.kill();

  await expect(store.head(object.key, never)).rejects.toMatchObject({
    code: "STORE_UNAVAILABLE",
    message: expect.stringMatching(/no answer \(ECONNRESET\)/),
    context: { attempts: 8 },
  });

  await server.start();
  expect(await store.head(object.key, never)).toEqual(stored);
});
