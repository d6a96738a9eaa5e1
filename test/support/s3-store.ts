import { randomUUID } from "node:crypto";
import { lookup } from "node:dns";
import { onTestFinished } from "vitest";
import { S3ObjectStore, type S3StoreOptions } from "../../src/adapters/s3/s3-object-store.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import type { S3Access } from "../servers/s3-server.ts";

/** For a server in this very process. Long enough that a busy machine is not taken for a failing server. */
export const hurried = { connectMs: 2_000, requestMs: 2_000, deadlineMs: 30_000 };

/** A store below a prefix that no other test has; it is closed when the test ends. */
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
