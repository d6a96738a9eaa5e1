import { inject, test } from "vitest";
import type { S3Access } from "./s3-server.ts";

/** The result of the global set-up, once for the run. */
export interface ProvidedS3 {
  /** The shared server; undefined when there is none. */
  readonly shared: S3Access | undefined;
  /** Whether tests can start separate servers, with `startS3`. */
  readonly ownServers: boolean;
}

declare module "vitest" {
  interface ProvidedContext {
    readonly s3: ProvidedS3;
  }
}

const s3 = inject("s3");

/** The shared server. A test uses its own prefix. @throws where there is none. */
export function sharedS3(): S3Access {
  if (s3.shared === undefined) throw new Error("a test on the shared S3 server runs where there is none");
  return s3.shared;
}

/** A test on the shared server. Without a server it is skipped, with reason and remedy at the end of the run. */
export const s3Test = test.skipIf(s3.shared === undefined);

/** For a set-up that several tests share. */
export const startsOwnServers = s3.ownServers;

/**
 * A test that starts separate servers. Without s3proxy's jars it is skipped, with reason and remedy at the end of the
 * run.
 */
export const s3ServerTest = test.skipIf(!startsOwnServers);
