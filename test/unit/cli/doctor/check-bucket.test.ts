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

test("a bucket that takes an object once is well; later checks find it there and put no other", async () => {
  const store = new FakeObjectStore();
  expect(await checkBucket(store, "archive", signal)).toEqual(healthy);
  expect(await checkBucket(store, "archive", signal)).toEqual(healthy);
  expect([...store.objects.keys()]).toEqual(["doctor/if-none-match.ndjson.gz"]);
  expect(store.puts).toBe(3);
});

test("one that overwrites is not", async () => {
  const store = new FakeObjectStore();
  store.putNew = async () => undefined;
  expect(await checkBucket(store, "archive", signal)).toEqual({
    check: "bucket",
    ok: false,
    detail: "archive overwrites objects: it does not heed If-None-Match",
    remedy: "use a server that does; two archives could destroy each other's objects otherwise",
  });
});

test("one that is away is not, and the reason is told", async () => {
  const store = new FakeObjectStore();
  store.isAway = true;
  const found = await checkBucket(store, "archive", signal);
  expect([found.ok, found.remedy]).toEqual([
    false,
    "see that the endpoint is reached, and that these credentials may list the bucket, put and get objects",
  ]);
});

test("somebody else's object in the place of the probe is named", async () => {
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
