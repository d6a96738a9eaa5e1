import { inject, test } from "vitest";
import type { S3Access } from "./s3-server.ts";

/** What the global set-up found out, once for the run. */
export interface ProvidedS3 {
  /** The server that all tests share; undefined when there is none. */
  readonly shared: S3Access | undefined;
  /** Whether tests can start servers of their own, with `startS3`. */
  readonly ownServers: boolean;
}

declare module "vitest" {
  interface ProvidedContext {
    readonly s3: ProvidedS3;
  }
}

const s3 = inject("s3");

/** The server that all tests share: take a prefix of your own. @throws where there is none. */
export function sharedS3(): S3Access {
  if (s3.shared === undefined) throw new Error("a test on the shared S3 server runs where there is none");
  return s3.shared;
}

/** A test on the shared server. Counted as skipped, with reason and remedy at the end of the run, where there is none. */
export const s3Test = test.skipIf(s3.shared === undefined);

/** For set-up that several tests share. */
export const startsOwnServers = s3.ownServers;

/** A test that starts servers of its own. Counted as skipped likewise where s3proxy's jars cannot be had. */
export const s3ServerTest = test.skipIf(!startsOwnServers);
