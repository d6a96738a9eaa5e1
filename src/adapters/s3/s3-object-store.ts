import { isDeepStrictEqual } from "node:util";
import {
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import PQueue from "p-queue";
import type { ArchiveObject, StoredObject } from "../../archive/object.ts";
import {
  type ListedObject,
  type ListedVersion,
  type ObjectStore,
  ObjectUnreadableError,
  StoreUnavailableError,
  type VersionedStore,
} from "../../archive/object-store.ts";
import { sha256Aside } from "../../kernel/hash.ts";
import { MAX_LINES_BYTES, unpackLines } from "../gzip/packed-lines.ts";
import { withDeadline } from "../http/client/deadline.ts";
import { listObjects, type ObjectsFrom } from "./list-objects.ts";
import { listVersions, type VersionsFrom } from "./list-versions.ts";
import { fromUserMetadata } from "./object-metadata.ts";
import { keptInput, type PutBody, type PutOptions, pack, putInput } from "./put-input.ts";
import { readBody } from "./read-body.ts";
import { MAX_SOCKETS, type S3ClientOptions, s3Client, withBodyHash } from "./s3-client.ts";
import {
  failureOf,
  NOT_S3,
  type StoreOperation,
  type StoreRequest,
  storeFailure,
  unavailable,
} from "./store-failure.ts";

export interface S3StoreOptions extends S3ClientOptions, PutOptions {
  readonly bucket: string;
  /** Prefix of every key. It is empty, or ends with a slash. */
  readonly prefix: string;
  /** Account id. Requests fail when the bucket belongs to another account. */
  readonly expectedBucketOwner?: string;
}

/**
 * Slowest accepted transfer of an object, bytes a millisecond: 500 KiB a second. The timeout grows by the time of such
 * a transfer. A connection without any traffic is aborted long before.
 */
const SLOWEST_LINE = 512;
/** Compression shares its threads with files and name lookups: two of the four threads stay free. */
const MAX_PACKING = 2;
/**
 * Most puts of one object. A put was refused because the key was taken, and then the key was free. Twice is an
 * accident, this number is not.
 */
const MAX_PUTS = 3;
/** Fields of an answer of S3. */
interface Answer {
  readonly ETag?: string | undefined;
  readonly ContentType?: string | undefined;
}

/** The result of a HEAD. */
interface Seen {
  readonly object: StoredObject;
  /** Packed size, bytes. */
  readonly bytes: number | undefined;
}

/**
 * The archive in an S3 bucket, with one put an object. An object is never overwritten: `If-None-Match: *` makes the
 * server refuse. Each object is read back by a HEAD before it counts as stored.
 *
 * When the answer to a put is lost, the SDK's next attempt is refused because the first one succeeded. So `putNew` may
 * find its own object under the key. Only the metadata tells the two cases apart.
 */
export class S3ObjectStore implements ObjectStore, VersionedStore {
  readonly #client: S3Client;
  readonly #options: S3StoreOptions;
  /** A queue for connections: the SDK counts the wait for a free connection as a connection attempt, and gives up. */
  readonly #queue = new PQueue({ concurrency: MAX_SOCKETS });
  readonly #packing = new PQueue({ concurrency: MAX_PACKING });
  /** The packed form of an object. It is kept until the object is stored, so each object is packed once. */
  readonly #packed = new WeakMap<ArchiveObject, PutBody>();
  /** Fields of every request. */
  readonly #where: { readonly Bucket: string; readonly ExpectedBucketOwner?: string };

  constructor(options: S3StoreOptions) {
    const { bucket, expectedBucketOwner } = options;
    this.#options = options;
    this.#client = s3Client(options);
    this.#where = {
      Bucket: bucket,
      ...(expectedBucketOwner === undefined ? {} : { ExpectedBucketOwner: expectedBucketOwner }),
    };
  }

  async putNew(object: ArchiveObject, signal: AbortSignal): Promise<StoredObject | undefined> {
    const packed = this.#packed.get(object) ?? (await this.#packing.add(() => pack(object)));
    this.#packed.set(object, packed);
    for (let puts = 0; puts < MAX_PUTS; puts++) {
      const isTaken = await this.#put(object, packed, signal);
      const there = await this.#look(object.key, signal);
      if (isTaken) return this.#unlessStored(object, packed, there);
      if (there !== undefined) return there.object;
    }
    throw unavailable(
      this.#asked("PutObject", object.key),
      "the server says that something stands there, and that nothing does",
    );
  }

  /** Stores JSON text that belongs to no partition, unless the key is taken. @throws {StoreUnavailableError} */
  async putJson(key: string, json: string, signal: AbortSignal): Promise<void> {
    const bytes = Buffer.from(json);
    const packed = { bytes, sha256: await sha256Aside(bytes) };
    const input = { ...this.#at(key), ...keptInput(packed, this.#options), ContentType: "application/json" };
    await this.#ask("PutObject", key, signal, async (abortSignal) => {
      try {
        const answer = await this.#client.send(withBodyHash(new PutObjectCommand(input), packed.sha256), {
          abortSignal,
        });
        this.#mustBeS3s(answer, "PutObject", key);
      } catch (thrown) {
        if (failureOf(thrown).status !== 412) throw thrown;
      }
    });
  }

  list(prefix: string, signal: AbortSignal): AsyncGenerator<ListedObject> {
    const { prefix: root } = this.#options;
    const ask = (from: ObjectsFrom) =>
      this.#ask("ListObjectsV2", prefix, signal, (abortSignal) => {
        const command = new ListObjectsV2Command({ ...this.#where, Prefix: root + prefix, ...from });
        return this.#client.send(command, { abortSignal });
      });
    return listObjects({ ask, root, asked: this.#asked("ListObjectsV2", prefix) });
  }

  versions(prefix: string, signal: AbortSignal): AsyncGenerator<ListedVersion> {
    const { prefix: root } = this.#options;
    const ask = (from: VersionsFrom) =>
      this.#ask("ListObjectVersions", prefix, signal, (abortSignal) => {
        const command = new ListObjectVersionsCommand({ ...this.#where, Prefix: root + prefix, ...from });
        return this.#client.send(command, { abortSignal });
      });
    return listVersions({ ask, root, asked: this.#asked("ListObjectVersions", prefix) });
  }

  async head(key: string, signal: AbortSignal): Promise<StoredObject | undefined> {
    return (await this.#look(key, signal))?.object;
  }

  /** The object under `key`, and its packed size in bytes. */
  async #look(key: string, signal: AbortSignal): Promise<Seen | undefined> {
    const found = await this.#ask("HeadObject", key, signal, async (abortSignal) => {
      try {
        return await this.#client.send(new HeadObjectCommand(this.#at(key)), { abortSignal });
      } catch (thrown) {
        if (failureOf(thrown).status !== 404) throw thrown;
        await this.#findBucket(abortSignal);
        return undefined;
      }
    });
    if (found === undefined) return undefined;
    this.#mustBeS3s(found, "HeadObject", key);
    const read = fromUserMetadata(found.Metadata ?? {});
    if ("metadata" in read) return { object: { key, metadata: read.metadata }, bytes: found.ContentLength };
    const what = `lacks the x-amz-meta-${read.wrong} of an object of the archive`;
    throw new ObjectUnreadableError(`${this.#named(key)} ${what}: another process put or changed the object`);
  }

  async lines(key: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const packed = await this.#get(key, signal);
    return packed === undefined ? undefined : unpackLines(packed, this.#named(key));
  }

  async text(key: string, signal: AbortSignal): Promise<string | undefined> {
    return (await this.#get(key, signal))?.toString("utf8");
  }

  #get(key: string, signal: AbortSignal): Promise<Buffer | undefined> {
    return this.#ask("GetObject", key, signal, async (abortSignal, renew) => {
      try {
        const answer = await this.#client.send(new GetObjectCommand(this.#at(key)), { abortSignal });
        renew(movingMs(answer.ContentLength));
        const packed = await readBody(answer.Body, this.#named(key));
        this.#mustBeS3s(answer, "GetObject", key);
        return packed;
      } catch (thrown) {
        if (failureOf(thrown).name === "NoSuchKey") return undefined;
        throw thrown;
      }
    });
  }

  /** Aborts the requests in flight. */
  close(): void {
    this.#client.destroy();
  }

  /** Returns false when the key is taken. */
  async #put({ key, metadata }: ArchiveObject, packed: PutBody, signal: AbortSignal): Promise<boolean> {
    const { bytes, sha256 } = packed;
    const input = { ...this.#at(key), ...putInput(packed, metadata, this.#options) };
    const sendingMs = movingMs(bytes.byteLength);
    const requestTimeout = this.#options.timing.requestMs + sendingMs;
    const put = async (abortSignal: AbortSignal) => {
      try {
        const command = withBodyHash(new PutObjectCommand(input), sha256);
        const answer = await this.#client.send(command, { abortSignal, requestTimeout });
        this.#mustBeS3s(answer, "PutObject", key);
        return true;
      } catch (thrown) {
        if (failureOf(thrown).status === 412) return false;
        throw thrown;
      }
    };
    return this.#ask("PutObject", key, signal, put, sendingMs);
  }

  /**
   * The result of a put that the server accepted. Undefined when the store shows the object. A server in between may
   * also answer 200, so only the store's own report counts.
   */
  #unlessStored(
    { key, metadata }: ArchiveObject,
    { bytes }: PutBody,
    there: Seen | undefined,
  ): StoredObject | undefined {
    if (there === undefined)
      throw unavailable(
        this.#asked("PutObject", key),
        "the server says that it is stored, and that nothing stands there",
      );
    if (!isDeepStrictEqual(there.object.metadata, metadata)) return there.object;
    if (there.bytes === bytes.byteLength) return undefined;
    throw new ObjectUnreadableError(
      `${this.#named(key)} has ${there.bytes} bytes, and ${bytes.byteLength} were put: the server shortened the object`,
    );
  }

  /**
   * S3 gives every object an ETag, and objects of the archive are no HTML pages. @throws {StoreUnavailableError} when
   * another server answered.
   */
  #mustBeS3s({ ETag, ContentType = "" }: Answer, asked: StoreOperation, key: string): void {
    if (ETag === undefined || ETag === "" || /^text\/html\b/i.test(ContentType))
      throw unavailable(this.#asked(asked, key), NOT_S3);
  }

  /** A HEAD has no body, so a missing bucket and a missing object look alike. */
  async #findBucket(abortSignal: AbortSignal): Promise<void> {
    try {
      await this.#client.send(new HeadBucketCommand(this.#where), { abortSignal });
    } catch (thrown) {
      if (failureOf(thrown).status === 404) throw Object.assign(new Error("no bucket"), noSuchBucket);
      throw thrown;
    }
  }

  /**
   * Runs a request within the deadline, with errors that name the remedy. The queue ends its wait when the signal
   * aborts. The SDK would not: it loads credentials and writes bodies without a check of its signal.
   */
  async #ask<T>(
    operation: StoreOperation,
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal, renew: (extraMs: number) => void) => Promise<T>,
    extraMs = 0,
  ): Promise<T> {
    let deadlineMs = this.#options.timing.deadlineMs + extraMs;
    const given: { signal?: AbortSignal } = {};
    try {
      return await withDeadline(deadlineMs, signal, (within, begin) => {
        given.signal = within;
        const renew = (extraMs: number) => {
          deadlineMs = this.#options.timing.deadlineMs + extraMs;
          begin(deadlineMs);
        };
        return this.#queue.add(() => work(within, renew), { signal: within });
      });
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof ObjectUnreadableError || thrown instanceof StoreUnavailableError) throw thrown;
      if (given.signal?.aborted === true)
        throw unavailable(this.#asked(operation, key), `no answer within ${deadlineMs} ms`);
      throw storeFailure(thrown, this.#asked(operation, key));
    }
  }

  #at(key: string) {
    return { ...this.#where, Key: this.#options.prefix + key };
  }

  #named(key: string): string {
    return `the object ${this.#options.prefix}${key} in the S3 bucket ${this.#options.bucket}`;
  }

  #asked(operation: StoreOperation, key: string): StoreRequest {
    const { bucket, prefix, region, kmsKeyId, expectedBucketOwner, objectLock, checksums } = this.#options;
    const sent = { isLocking: objectLock !== undefined, sendsChecksums: checksums === "always" };
    return { operation, bucket, key: prefix + key, region, kmsKeyId, expectedBucketOwner, ...sent };
  }
}

/**
 * Time for this many bytes on the slowest connection, milliseconds. It is capped at the largest unpacked size of an
 * object, whatever a server reports.
 */
function movingMs(bytes = 0): number {
  return Math.floor(Math.min(bytes, MAX_LINES_BYTES) / SLOWEST_LINE);
}

const noSuchBucket = { name: "NoSuchBucket", $metadata: { httpStatusCode: 404 } };
