import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect } from "vitest";
import { sha256 } from "../../src/kernel/hash.ts";
import { objectAt } from "../ports/archive-store-suite.ts";
import { type S3Server, startS3 } from "../servers/s3-server.ts";
import { s3ServerTest, startsOwnServers } from "../servers/s3-tests.ts";
import { storeOn } from "../support/s3-store.ts";

const never = new AbortController().signal;
const object = objectAt({ topic: "verdicts", partition: 0, next: 0, previousSha256: "" }, 50);

let server: S3Server;
beforeAll(async () => {
  if (startsOwnServers) server = await startS3();
});
afterAll(() => server?.close());

/** A store with the object, and the file of the server with its content. */
async function stored(prefix: string, checksums: "always" | "when-required") {
  const store = storeOn(server, { prefix, checksums });
  await store.putNew(object, never);
  return { store, file: path.join(server.bucketFolder, prefix, object.key), key: prefix + object.key };
}

s3ServerTest("an object that was cut short or overwritten is unreadable, by name, without checksums too", async () => {
  const { store, file, key } = await stored("cut/", "when-required");
  const packed = await readFile(file);
  const unreadable = (what: string) => ({
    code: "OBJECT_UNREADABLE",
    retryable: false,
    message: `the object ${key} in the S3 bucket ${server.bucket} ${what}`,
  });

  await writeFile(file, packed.subarray(0, packed.length / 2));
  await expect(store.lines(object.key, never)).rejects.toMatchObject(unreadable("is cut short"));

  await writeFile(file, "no gzip at all");
  await expect(store.lines(object.key, never)).rejects.toMatchObject(unreadable("is damaged, or no gzip"));

  packed.writeUInt8(packed.readUInt8(packed.length - 6) ^ 1, packed.length - 6);
  await writeFile(file, packed);
  await expect(store.lines(object.key, never)).rejects.toMatchObject(unreadable("is damaged, or no gzip"));
});

s3ServerTest("an object whose lines were changed no longer has the hash that its metadata tells", async () => {
  const { store, file } = await stored("changed/", "when-required");

  await writeFile(file, gzipSync(changed(await readFile(file))));

  const found = await store.head(object.key, never);
  const read = await store.lines(object.key, never);
  expect(found?.metadata.sha256).toBe(sha256(object.lines));
  expect(sha256(read ?? "")).not.toBe(sha256(object.lines));
});

s3ServerTest("an object whose lines were changed does not have the checksum that the server keeps of it", async () => {
  const { store, file, key } = await stored("checked/", "always");

  await writeFile(file, gzipSync(changed(await readFile(file))));

  await expect(store.lines(object.key, never)).rejects.toMatchObject({
    code: "OBJECT_UNREADABLE",
    message: `the object ${key} in the S3 bucket ${server.bucket} does not have the checksum that S3 keeps of it`,
  });
});

s3ServerTest("more objects than one answer lists are listed, each once and in order", async () => {
  const folder = path.join(server.bucketFolder, "many/v1/t");
  const keys = Array.from({ length: 2_001 }, (_, i) => `v1/t/${String(i).padStart(20, "0")}`);
  await mkdir(folder, { recursive: true });
  await Promise.all(keys.map((key) => writeFile(path.join(server.bucketFolder, "many", key), "x")));

  const listed = await Array.fromAsync(storeOn(server, { prefix: "many/" }).list("v1/", never));

  expect(listed).toEqual(keys.map((key) => ({ key, bytes: 1 })));
});

function changed(packed: Buffer): string {
  const lines = gunzipSync(packed).toString();
  expect(lines).toContain('"n":3');
  return lines.replace('"n":3', '"n":4');
}
