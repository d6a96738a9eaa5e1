import { expect, test } from "vitest";
import { fromUserMetadata, toUserMetadata } from "../../../../src/adapters/s3/object-metadata.ts";
import type { ObjectMetadata } from "../../../../src/archive/object.ts";

const metadata: ObjectMetadata = {
  schema: "verdict/v1",
  topic: "screening.verdicts",
  partition: 7,
  start: 0,
  end: Number.MAX_SAFE_INTEGER,
  count: 12,
  sha256: "ab".repeat(32),
  previous_sha256: "",
};
const headers = toUserMetadata(metadata);

test("each field is a separate header, in characters that every server keeps", () => {
  expect(headers).toEqual({
    schema: "verdict/v1",
    topic: "screening.verdicts",
    partition: "7",
    start: "0",
    end: "9007199254740991",
    count: "12",
    sha256: "ab".repeat(32),
    "previous-sha256": "none",
  });
});

test.each(["", "cd".repeat(32)])("written metadata reads back exactly, with %j before it", (previous) => {
  const written = { ...metadata, previous_sha256: previous };

  expect(fromUserMetadata(toUserMetadata(written))).toEqual({ metadata: written });
});

test("additional fields are ignored", () => {
  expect(fromUserMetadata({ ...headers, owner: "me" })).toEqual({ metadata });
});

test.each(Object.keys(headers))("an object without %s is no object of the archive", (name) => {
  const { [name]: _without, ...rest } = headers;

  expect(fromUserMetadata(rest)).toEqual({ wrong: name });
});

test.each([
  ["schema", ""],
  ["partition", "07"],
  ["partition", "-1"],
  ["start", "1e3"],
  ["start", " 1"],
  ["start", "0x10"],
  ["end", "9007199254740993"],
  ["end", ""],
  ["count", "1.5"],
  ["sha256", "AB".repeat(32)],
  ["sha256", "none"],
  ["sha256", "ab"],
  ["previous-sha256", ""],
  ["previous-sha256", "None"],
])("%s: %j is refused, since it is never written", (name, value) => {
  expect(fromUserMetadata({ ...headers, [name]: value })).toEqual({ wrong: name });
});
