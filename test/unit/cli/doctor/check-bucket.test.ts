import { expect, test } from "vitest";
import { ObjectUnreadableError } from "../../../../src/archive/object-store.ts";
import { checkBucket } from "../../../../src/cli/doctor/check-bucket.ts";
import { FakeObjectStore } from "../../../fakes/fake-object-store.ts";

const { signal } = new AbortController();
const healthy = {
  check: "bucket",
  ok: true,
  detail: "archive can be listed, written to and read, and overwrites nothing",
  remedy: "",
};

test("a bucket that accepts an object once passes, and later checks find the object", async () => {
  const store = new FakeObjectStore();
  expect(await checkBucket(store, "archive", signal)).toEqual(healthy);
  expect(await checkBucket(store, "archive", signal)).toEqual(healthy);
  expect([...store.objects.keys()]).toEqual(["doctor/if-none-match.ndjson.gz"]);
  expect(store.puts).toBe(3);
});

test("a bucket that overwrites fails", async () => {
  const store = new FakeObjectStore();
  store.putNew = async () => undefined;
  expect(await checkBucket(store, "archive", signal)).toEqual({
    check: "bucket",
    ok: false,
    detail: "archive overwrites objects: it does not heed If-None-Match",
    remedy: "use a server that does; two archives could destroy each other's objects otherwise",
  });
});

test("an unreachable bucket fails, with the reason", async () => {
  const store = new FakeObjectStore();
  store.isAway = true;
  const found = await checkBucket(store, "archive", signal);
  expect([found.ok, found.remedy]).toEqual([
    false,
    "see that the endpoint is reached, and that these credentials may list the bucket, put and get objects",
  ]);
});

test("another object under the key of the probe is reported", async () => {
  const store = new FakeObjectStore();
  store.putNew = async () => {
    throw new ObjectUnreadableError("doctor/if-none-match.ndjson.gz lacks something");
  };
  expect(await checkBucket(store, "archive", signal)).toEqual({
    check: "bucket",
    ok: false,
    detail: "doctor/if-none-match.ndjson.gz lacks something",
    remedy: "remove doctor/if-none-match.ndjson.gz and try again",
  });
});
