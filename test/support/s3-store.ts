import { randomUUID } from "node:crypto";
import { lookup } from "node:dns";
import { onTestFinished } from "vitest";
import { S3ObjectStore, type S3StoreOptions } from "../../src/adapters/s3/s3-object-store.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import type { S3Access } from "../servers/s3-server.ts";

/**
 * Timeouts for a server in this very process. They are long enough that a busy machine does not look like a failing
 * server.
 */
export const hurried = { connectMs: 2_000, requestMs: 2_000, deadlineMs: 30_000 };

/** A store below a unique prefix. It is closed when the test ends. */
export function storeOn(access: S3Access, options: Partial<S3StoreOptions> = {}): S3ObjectStore {
  const { endpoint, region, bucket, credentials } = access;
  const store = new S3ObjectStore({
    endpoint,
    region,
    bucket,
    credentials,
    prefix: `${randomUUID()}/`,
    forcePathStyle: true,
    checksums: "always",
    clock: systemClock,
    lookup,
    timing: { connectMs: 3_000, requestMs: 10_000, deadlineMs: 30_000 },
    ...options,
  });
  onTestFinished(() => store.close());
  return store;
}
