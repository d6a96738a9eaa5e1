import { describe, expect, test } from "vitest";
import { serviceUrl } from "../../../../../src/adapters/http/service/service-url.ts";
import { ConfigInvalidError } from "../../../../../src/kernel/errors.ts";

const strict = { allowHttp: false };

test.each<[string, string]>([
  ["https://api.example.com", "https://api.example.com"],
  ["https://api.example.com/", "https://api.example.com"],
  ["https://API.example.com:8443/base/path//", "https://api.example.com:8443/base/path"],
  ["https://10.0.0.7", "https://10.0.0.7"],
  ["https://192.168.0.7:8080", "https://192.168.0.7:8080"],
  ["https://[fd12::7]/x", "https://[fd12::7]/x"],
  ["https://weir.internal", "https://weir.internal"],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
  ["http://0x7f.1", "http://127.0.0.1"],
  ["http://[::1]:8080/", "http://[::1]:8080"],
  ["http://localhost:8080", "http://localhost:8080"],
  ["http://weir.localhost", "http://weir.localhost"],
])("%s becomes the base URL %s", (text, expected) => {
  expect(serviceUrl(text, strict)).toBe(expected);
});

describe("http beyond this machine", () => {
  test.each([
    "http://api.example.com",
    "http://10.0.0.7",
    "http://192.168.0.7",
    "http://[fd12::7]",
    "http://localhost.example.com",
    "http://128.0.0.1",
    "HTTP://api.example.com",
  ])("%s is refused, and accepted when it is allowed", (text) => {
    expect(() => serviceUrl(text, strict)).toThrow(
      new ConfigInvalidError(
        "SERVICE_URL is http, so the network can read the key and change the answers: use https, or set SERVICE_ALLOW_HTTP=true where that is meant",
      ),
    );
    expect(serviceUrl(text, { allowHttp: true })).toBe(text.replace("HTTP:", "http:"));
  });
});

describe.each([strict, { allowHttp: true }])("%j refuses", (options) => {
  test.each<[string, RegExp]>([
    ["hunter2", /^SERVICE_URL must be an http or https URL$/],
    ["ftp://hunter2.example", /^SERVICE_URL must be an http or https URL$/],
    ["file:///hunter2", /^SERVICE_URL must be an http or https URL$/],
    ["https://hunter2@example.com", /must not hold a user name or a password: .*SERVICE_API_KEY$/],
    ["https://:hunter2@example.com", /must not hold a user name or a password/],
    ["https://example.com/?key=hunter2", /must not hold a query or a fragment/],
    ["https://example.com/?", /must not hold a query or a fragment/],
    ["https://example.com/#hunter2", /must not hold a query or a fragment/],
    ["https://example.com/#", /must not hold a query or a fragment/],
    ["https://169.254.169.254/latest", /names a link-local address, as of cloud metadata/],
    ["https://0xa9fea9fe/", /names a link-local address, as of cloud metadata/],
    ["https://2852039166/", /names a link-local address, as of cloud metadata/],
    ["https://169.254.169.254./", /names a link-local address, as of cloud metadata/],
    ["https://[::ffff:169.254.169.254]/", /names a link-local address, as of cloud metadata/],
    ["https://[fe80::1]/", /names a link-local address, as of cloud metadata/],
    ["https://[fd00:ec2::254]/", /names an address of cloud metadata/],
    ["https://0.0.0.0:8080", /names an unspecified address/],
    ["https://[::]:8080", /names an unspecified address/],
    ["https://255.255.255.255", /names a multicast or reserved address/],
  ])("%s", (text, message) => {
    const reading = () => serviceUrl(text, options);

    expect(reading).toThrow(ConfigInvalidError);
    expect(reading).toThrow(message);
    expect(reading).not.toThrow(/hunter2/);
  });
});
