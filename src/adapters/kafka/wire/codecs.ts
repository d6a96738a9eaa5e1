import { promisify } from "node:util";
import zlib from "node:zlib";
import kafkajs from "kafkajs";
import { toError } from "../../../kernel/errors.ts";
import { BatchUnreadableError } from "../kafkajs-patches/batch-unreadable-error.ts";
import { unpackLz4 } from "./unpack-lz4.ts";
import { unpackSnappy } from "./unpack-snappy.ts";
import { unpackZstd } from "./unpack-zstd.ts";

const { CompressionCodecs, CompressionTypes } = kafkajs;

/** No batch of a topic may unpack to more. kafkajs's own codec has no limit: 204 kB of gzip filled 200 MiB. */
export const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;

/** As kafkajs calls it. What is thrown ends the consumer, and says so itself (`BatchUnreadableError`). */
interface Codec {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>;
  decompress(compressed: Buffer): Promise<Buffer>;
}

const limit = { maxOutputLength: MAX_UNPACKED_BYTES };
const gzip = promisify(zlib.gzip);
const gunzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const zstdCompress = promisify<Buffer, Buffer>(zlib.zstdCompress);

/** Every codec that a producer may use, each with a bound. We write none but gzip and zstd. */
export const codecs = {
  gzip: {
    compress: ({ buffer }) => gzip(buffer),
    decompress: (compressed) => unpacked("gzip", () => gunzip(compressed, limit)),
  },
  snappy: {
    compress: () => refusal("snappy"),
    decompress: (compressed) => unpacked("snappy", () => unpackSnappy(compressed, MAX_UNPACKED_BYTES)),
  },
  lz4: {
    compress: () => refusal("lz4"),
    decompress: (compressed) => unpacked("lz4", () => unpackLz4(compressed, MAX_UNPACKED_BYTES)),
  },
  zstd: {
    compress: ({ buffer }) => zstdCompress(buffer),
    decompress: (compressed) => unpacked("zstd", () => unpackZstd(compressed, MAX_UNPACKED_BYTES)),
  },
} as const satisfies Readonly<Record<string, Codec>>;

/** By the number that a batch's attributes hold. Source: Kafka's documentation, "Record Batch". */
const byNumber = [undefined, codecs.gzip, codecs.snappy, codecs.lz4, codecs.zstd] as const;

/** The records of a batch, unpacked. @throws {BatchUnreadableError} where they do not unpack. */
export function unpack(codec: number, payload: Buffer): Buffer | Promise<Buffer> {
  if (codec === 0) return payload;
  const known = byNumber[codec];
  if (known === undefined)
    throw new BatchUnreadableError(`a batch is packed by codec ${codec}, which Kafka does not know`);
  return known.decompress(payload);
}

/** Puts the codecs in the place of kafkajs's own, for the whole process. To be called before the first fetch. */
export function registerCodecs(): void {
  CompressionCodecs[CompressionTypes.GZIP] = () => codecs.gzip;
  CompressionCodecs[CompressionTypes.Snappy] = () => codecs.snappy;
  CompressionCodecs[CompressionTypes.LZ4] = () => codecs.lz4;
  CompressionCodecs[CompressionTypes.ZSTD] = () => codecs.zstd;
}

async function unpacked(name: string, unpack: () => Buffer | Promise<Buffer>): Promise<Buffer> {
  try {
    return await unpack();
  } catch (thrown) {
    throw new BatchUnreadableError(`a ${name} batch ${reasonOf(thrown)}`, {}, { cause: thrown });
  }
}

function reasonOf(thrown: unknown): string {
  const error = toError(thrown);
  if (error instanceof BatchUnreadableError) return error.message;
  const code: unknown = Reflect.get(error, "code");
  if (code === "ERR_BUFFER_TOO_LARGE") return `unpacks to more than ${MAX_UNPACKED_BYTES} bytes`;
  return `does not unpack: ${error.message}`;
}

/** A mistake of this program: nothing can be configured to write these. */
async function refusal(name: string): Promise<never> {
  throw new Error(`batches are not written in ${name}: use gzip or zstd`);
}
