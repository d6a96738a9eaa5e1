import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import zlib from "node:zlib";

const MEGABYTE = 1024 * 1024;

/** Data that unpacks to `megabytes` of zeros, by codec. It is made without ever holding the zeros. */
export const bombs = {
  gzip: (megabytes: number) => packed(megabytes, zlib.createGzip()),
  zstd: (megabytes: number) => packed(megabytes, zlib.createZstdCompress()),
  /** One literal zero, then copies of the previous 64 bytes. */
  snappy: async (megabytes: number) => {
    const length = 64 * Math.floor((megabytes * MEGABYTE) / 64) + 1;
    return Buffer.concat([varint(length), Buffer.from([0, 0]), copies((length - 1) / 64)]);
  },
  /** Its header claims an unpacked size of one byte. */
  "lying snappy": async (megabytes: number) =>
    Buffer.concat([varint(1), Buffer.from([0, 0]), copies((megabytes * MEGABYTE) / 64)]),
  /** One block: a literal zero, then a match with a length that includes all following bytes. */
  lz4: async (megabytes: number) => {
    const block = Buffer.concat([
      Buffer.from([0x1f, 0, 1, 0]),
      Buffer.alloc(Math.ceil((megabytes * MEGABYTE) / 255), 255),
      Buffer.from([0, 0]),
    ]);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(block.length);
    return Buffer.concat([Buffer.from("04224d18607073", "hex"), size, block, Buffer.alloc(4)]);
  },
} as const;

async function packed(megabytes: number, packer: NodeJS.ReadWriteStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const zeros = Buffer.alloc(MEGABYTE);
  const collect = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await pipeline(Readable.from(Array.from({ length: megabytes }, () => zeros)), packer, collect);
  return Buffer.concat(chunks);
}

function copies(count: number): Buffer {
  return Buffer.alloc(3 * count, Buffer.from([(63 << 2) | 2, 1, 0]));
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Buffer.from([...bytes, rest]);
}
