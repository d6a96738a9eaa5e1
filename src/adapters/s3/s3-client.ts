import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { type PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { checkedLookup, type Lookup } from "../http/connection/checked-lookup.ts";

/** Timeouts of requests, milliseconds. */
export interface S3Timing {
  readonly connectMs: number;
  /**
   * Longest time for one attempt until its answer begins, plus the time for its body. It is also the longest silence.
   */
  readonly requestMs: number;
  /** Longest time for all attempts, the waits between them and for a free connection, until the answer is read. */
  readonly deadlineMs: number;
}

/** The deadline leaves room for all attempts under 503 (20 s) and 429 (40 s), and for four attempts that time out. */
export const DEFAULT_TIMING: S3Timing = { connectMs: 3_000, requestMs: 15_000, deadlineMs: 60_000 };

export interface S3ClientOptions {
  /** Undefined: the region from the environment or the profile. */
  readonly region: string | undefined;
  /** Checked by `s3Endpoint`. Undefined: the endpoint of Amazon. */
  readonly endpoint: string | undefined;
  readonly forcePathStyle: boolean;
  /** Undefined: the SDK's own chain of the environment, profiles and roles. */
  readonly credentials:
    | { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string }
    | undefined;
  /** Whether checksums are sent and checked wherever the protocol supports them. Some servers refuse them. */
  readonly checksums: "always" | "when-required";
  /** Finds the addresses of the host. Refused addresses are removed from the result. */
  readonly lookup: Lookup;
  readonly timing: S3Timing;
}

/** Most attempts. The SDK's default of 3 gives up after 2.5 s of 503s, and after 0.1 s of resets. */
const MAX_ATTEMPTS = 8;
export const MAX_SOCKETS = 16;

const ignore = () => {};
/** Without a logger, the SDK writes warnings to the console, not to Weir's log. */
const silent = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A client that aborts every request in time. By default it waits forever, and `requestTimeout` alone only warns. */
export function s3Client({ timing, lookup, region, endpoint, ...options }: S3ClientOptions): S3Client {
  const checksums = options.checksums === "always" ? "WHEN_SUPPORTED" : "WHEN_REQUIRED";
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS, lookup: checkedLookup(lookup, "S3_ENDPOINT") };
  const client = new S3Client({
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(options.credentials === undefined ? {} : { credentials: options.credentials }),
    forcePathStyle: options.forcePathStyle,
    maxAttempts: MAX_ATTEMPTS,
    retryMode: "standard",
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    // From 2 MiB on, the SDK would first send an Expect header, over a connection outside of the agents and their
    // lookup.
    expectContinueHeader: false,
    logger: silent,
    requestHandler: {
      connectionTimeout: timing.connectMs,
      requestTimeout: timing.requestMs,
      throwOnRequestTimeout: true,
      socketTimeout: timing.requestMs,
      httpAgent: new HttpAgent(agent),
      httpsAgent: new HttpsAgent(agent),
      logger: silent,
    },
  });
  retryConflicts(client);
  return client;
}

/**
 * The command, with the SHA-256 of its body in hex. The SDK would hash the body at each attempt, and block all other
 * work.
 */
export function withBodyHash(command: PutObjectCommand, sha256: string): PutObjectCommand {
  command.middlewareStack.add(
    (next) => (args) => {
      Reflect.set(Object(Reflect.get(Object(args.request), "headers")), "x-amz-content-sha256", sha256);
      return next(args);
    },
    { step: "build", name: "bodyHash" },
  );
  return command;
}

/**
 * Retries conflicts: of two parallel conditional puts of one key, S3 asks the later one to retry (409). The SDK does
 * not retry it.
 */
function retryConflicts(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (thrown) {
        if (isConflict(thrown)) Object.assign(thrown, { $retryable: {} });
        throw thrown;
      }
    },
    { step: "finalizeRequest", priority: "low", name: "retryConflicts" },
  );
}

function isConflict(thrown: unknown): thrown is Error {
  return thrown instanceof Error && Reflect.get(Object(Reflect.get(thrown, "$metadata")), "httpStatusCode") === 409;
}
