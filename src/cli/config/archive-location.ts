import type { ArchiveLocation } from "../../adapters/prometheus/metric-definitions.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";

/** The locations that an operator may choose for a worker's archive: the worker, `weir archive`, or none. */
export const archiveChoices = ["here", "elsewhere", "off"] as const satisfies readonly ArchiveLocation[];

export interface ArchiveChoice {
  readonly ARCHIVE_PLACE?: (typeof archiveChoices)[number] | undefined;
  readonly S3_BUCKET?: string | undefined;
}

/**
 * The location of a worker's archive. Without a choice it is the worker when a bucket is named.
 *
 * @throws {ConfigInvalidError} for `here` without a bucket.
 */
export function archiveLocation({ ARCHIVE_PLACE: chosen, S3_BUCKET: bucket }: ArchiveChoice): ArchiveLocation {
  if (chosen === "here" && bucket === undefined) {
    throw new ConfigInvalidError("bad settings: S3_BUCKET: must name the bucket of the archive: ARCHIVE_PLACE=here");
  }
  return chosen ?? (bucket === undefined ? "unset" : "here");
}

/** Logs the archive location of this worker: a worker that lost its S3_BUCKET runs normally, and archives nothing. */
export function logArchiveLocation(place: ArchiveLocation, log: Log): void {
  if (place === "unset") {
    log.warn(
      "this worker archives nothing because S3_BUCKET is not set: set S3_BUCKET, or set ARCHIVE_PLACE to elsewhere (for `weir archive`) or off",
    );
  } else if (place === "off") log.info("this worker archives nothing because ARCHIVE_PLACE is off");
  else if (place === "elsewhere")
    log.info("this worker archives nothing because ARCHIVE_PLACE is elsewhere: run `weir archive`");
}
