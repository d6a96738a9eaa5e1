import { expect, test } from "vitest";
import { s3Endpoint } from "../../../../src/adapters/s3/s3-endpoint.ts";

test.each([
  ["https://s3.example:9000/", "https://s3.example:9000"],
  ["http://127.0.0.1:9000", "http://127.0.0.1:9000"],
  ["http://localhost:9000", "http://localhost:9000"],
  ["https://10.0.0.1", "https://10.0.0.1"],
])("%s is accepted", (text, endpoint) => {
  expect(s3Endpoint(text)).toBe(endpoint);
});

test.each([
  ["hunter2", /^S3_ENDPOINT must be an http or https URL$/],
  ["s3://hunter2", /must be an http or https URL/],
  ["http://hunter2.example", /is http, so the network can read and change what is archived: use https$/],
  ["https://a:hunter2@s3.example", /must not hold a user name or a password: set AWS_ACCESS_KEY_ID/],
  ["https://s3.example?hunter2", /must not hold a query or a fragment: give scheme, host and port/],
  ["https://169.254.169.254", /names a link-local address, as of cloud metadata/],
  ["https://[fd00:ec2::254]", /names an address of cloud metadata/],
])("%s is refused, and not repeated", (text, message) => {
  expect(() => s3Endpoint(text)).toThrow(message);
  expect(() => s3Endpoint(text)).not.toThrow(/hunter2/);
});
