import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import kafkajs from "kafkajs";
import { describe, expect, test } from "vitest";
import { BatchUnreadableError } from "../../../../../src/adapters/kafka/kafkajs-patches/batch-unreadable-error.ts";
import { codecs, registerCodecs } from "../../../../../src/adapters/kafka/wire/codecs.ts";
import { sha256 } from "../../../../../src/kernel/hash.ts";
import { bombs } from "../../../../support/compressed-bombs.ts";

type Name = keyof typeof codecs;

interface Sample {
  readonly codec: Name;
  readonly payload: string;
  readonly length: number;
  readonly sha256: string;
  readonly compressed: string;
}

/** Compressed by Kafka's Java client: tools/make/make-compressed-bytes.mjs. */
const samples: readonly Sample[] = JSON.parse(readFileSync("test/fixtures/compressed-bytes.json", "utf8"));
const names = Object.keys(codecs) as Name[];

test("the samples hold three payloads of each codec", () => {
  expect(names.map((name) => samples.filter(({ codec }) => codec === name).length)).toEqual([3, 3, 3, 3]);
});

describe.each(samples)("$payload in $codec, by the Java client", ({ codec, compressed, length, sha256: hash }) => {
  const bytes = Buffer.from(compressed, "base64");

  test("is unpacked", async () => {
    const unpacked = await codecs[codec].decompress(bytes);

    expect(unpacked.length).toBe(length);
    expect(sha256(unpacked)).toBe(hash);
  });

  test("is refused when its second half is missing", async () => {
    const half = codecs[codec].decompress(bytes.subarray(0, Math.ceil(bytes.length / 2)));

    await expect(half).rejects.toBeInstanceOf(BatchUnreadableError);
    await expect(half).rejects.toMatchObject({ code: "BATCH_UNREADABLE", retriable: false });
  });
});

test.each(["gzip", "zstd"] as const)("packed data in %s can be read", async (name) => {
  const buffer = Buffer.from("a verdict ".repeat(1_000));

  const compressed = await codecs[name].compress({ buffer });

  expect(compressed.length).toBeLessThan(200);
  expect(await codecs[name].decompress(compressed)).toEqual(buffer);
});

test.each(["snappy", "lz4"] as const)("no data is written in %s", async (name) => {
  await expect(codecs[name].compress()).rejects.toThrow(`batches are not written in ${name}: use gzip or zstd`);
});

test.each<[Name, keyof typeof bombs]>([
  ["gzip", "gzip"],
  ["zstd", "zstd"],
  ["snappy", "snappy"],
  ["lz4", "lz4"],
])("%s unpacks to 15 MiB, and not to 17", async (codec, bomb) => {
  expect((await codecs[codec].decompress(await bombs[bomb](15))).length).toBeGreaterThanOrEqual(15 * 1024 * 1024);
  await expect(codecs[codec].decompress(await bombs[bomb](17))).rejects.toThrow(/more than 16777216/);
});

test.each<[Name, keyof typeof bombs, RegExp]>([
  ["gzip", "gzip", /^a gzip batch unpacks to more than 16777216 bytes$/],
  ["zstd", "zstd", /^a zstd batch unpacks to more than 16777216 bytes$/],
  ["snappy", "snappy", /^a snappy batch unpacks to 209715201 bytes, more than 16777216$/],
  ["snappy", "lying snappy", /^a snappy batch unpacks to more than it says$/],
  ["lz4", "lz4", /^a lz4 batch unpacks to more than 16777216 bytes$/],
])("200 MiB of zeros in %s (%s) are refused within 64 MiB", (codec, bomb, message) => {
  const script = path.resolve("test/support/unpack-bomb.ts");
  const said = execFileSync(process.execPath, [script, codec, bomb], { encoding: "utf8" });
  const { refused, grownMiB } = JSON.parse(said);

  expect(refused).toMatch(message);
  expect(grownMiB).toBeLessThan(64);
});

test("kafkajs uses the codecs after their registration", () => {
  registerCodecs();

  const { CompressionCodecs, CompressionTypes } = kafkajs;
  expect(CompressionCodecs[CompressionTypes.GZIP]()).toBe(codecs.gzip);
  expect(CompressionCodecs[CompressionTypes.Snappy]()).toBe(codecs.snappy);
  expect(CompressionCodecs[CompressionTypes.LZ4]()).toBe(codecs.lz4);
  expect(CompressionCodecs[CompressionTypes.ZSTD]()).toBe(codecs.zstd);
});
