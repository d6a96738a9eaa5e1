import { expect, test } from "vitest";
import {
  type ArchiveChoice,
  archiveLocation,
  logArchiveLocation,
} from "../../../../src/cli/config/archive-location.ts";
import { ConfigInvalidError } from "../../../../src/kernel/errors.ts";
import { quietLog } from "../../../../src/kernel/log.ts";

const bucket = { S3_BUCKET: "a-bucket" };

test.each<[ArchiveChoice, string]>([
  [{}, "unset"],
  [bucket, "here"],
  [{ ARCHIVE_PLACE: "here", ...bucket }, "here"],
  [{ ARCHIVE_PLACE: "elsewhere" }, "elsewhere"],
  // A worker with this choice archives nothing, whatever other settings it has.
  [{ ARCHIVE_PLACE: "elsewhere", ...bucket }, "elsewhere"],
  [{ ARCHIVE_PLACE: "off", ...bucket }, "off"],
])("%o archives %s", (choice, place) => {
  expect(archiveLocation(choice)).toBe(place);
});

test("the choice here needs a bucket", () => {
  expect(() => archiveLocation({ ARCHIVE_PLACE: "here" })).toThrow(ConfigInvalidError);
  expect(() => archiveLocation({ ARCHIVE_PLACE: "here" })).toThrow("S3_BUCKET: must name the bucket of the archive");
});

test("a worker that archives nothing logs that, as a warning without a choice", () => {
  const said: string[] = [];
  const log = {
    ...quietLog,
    info: (message: string) => void said.push(`info: ${message}`),
    warn: (message: string) => void said.push(`warn: ${message}`),
  };
  for (const place of ["here", "elsewhere", "off", "unset"] as const) logArchiveLocation(place, log);

  expect(said).toEqual([
    "info: this worker archives nothing because ARCHIVE_PLACE is elsewhere: run `weir archive`",
    "info: this worker archives nothing because ARCHIVE_PLACE is off",
    "warn: this worker archives nothing because S3_BUCKET is not set: set S3_BUCKET, or set ARCHIVE_PLACE to elsewhere (for `weir archive`) or off",
  ]);
});
