import { describe, expect, test } from "vitest";
import { proxyFor } from "../../../../src/adapters/http/proxy-for.ts";

const URL_OF_SERVICE = "https://api.vendor.example/base";
const through = (variables: Record<string, string>, url = URL_OF_SERVICE) => {
  const found = proxyFor(url, variables);
  return found.ok ? found.value?.href : found.detail;
};
const HTTPS_PROXY = "http://proxy.corp.example:3128";

test.each<[Record<string, string>, string | undefined, string?]>([
  [{}, undefined],
  [{ HTTPS_PROXY: "" }, undefined],
  [{ HTTPS_PROXY }, "http://proxy.corp.example:3128/"],
  [{ https_proxy: HTTPS_PROXY }, "http://proxy.corp.example:3128/"],
  [{ https_proxy: HTTPS_PROXY, HTTPS_PROXY: "http://other:1" }, "http://proxy.corp.example:3128/"],
  [{ HTTPS_PROXY: "proxy.corp.example:3128" }, "http://proxy.corp.example:3128/"],
  [{ HTTPS_PROXY: "https://user:p%40ss@proxy.corp.example" }, "https://user:p%40ss@proxy.corp.example/"],
  [{ HTTP_PROXY: HTTPS_PROXY }, undefined],
  [{ HTTP_PROXY: HTTPS_PROXY }, "http://proxy.corp.example:3128/", "http://api.vendor.example"],
  [{ HTTPS_PROXY }, undefined, "http://api.vendor.example"],
])("%j leads through %s", (variables, expected, url) => {
  expect(through(variables, url)).toBe(expected);
});

test.each(["https://127.0.0.1:8080", "http://localhost:8080", "https://[::1]:8080"])(
  "never to this machine: %s",
  (url) => {
    expect(through({ HTTPS_PROXY, HTTP_PROXY: HTTPS_PROXY }, url)).toBeUndefined();
  },
);

describe("NO_PROXY", () => {
  test.each([
    "*",
    "api.vendor.example",
    "other, vendor.example",
    ".vendor.example",
    "*.vendor.example",
    "VENDOR.EXAMPLE",
    "vendor.example:443",
    "a b vendor.example",
  ])("%j exempts the service", (NO_PROXY) => {
    expect(through({ HTTPS_PROXY, NO_PROXY })).toBeUndefined();
    expect(through({ HTTPS_PROXY, no_proxy: NO_PROXY })).toBeUndefined();
  });

  test.each(["", "vendor.example:8443", "endor.example", "vendor", "vendor.example.com", ".", ","])(
    "%j does not",
    (NO_PROXY) => {
      expect(through({ HTTPS_PROXY, NO_PROXY })).toBe("http://proxy.corp.example:3128/");
    },
  );

  test("takes addresses, with a port where one is named", () => {
    expect(through({ HTTPS_PROXY, NO_PROXY: "192.0.2.7" }, "https://192.0.2.7:8443")).toBeUndefined();
    expect(through({ HTTPS_PROXY, NO_PROXY: "[2001:db8::7]:8443" }, "https://[2001:db8::7]:8443")).toBeUndefined();
    expect(through({ HTTPS_PROXY, NO_PROXY: "2001:db8::7" }, "https://[2001:db8::7]:8443")).toBeUndefined();
    expect(through({ HTTPS_PROXY, NO_PROXY: "[2001:db8::7]:1" }, "https://[2001:db8::7]:8443")).toBeDefined();
  });
});

test.each([
  ["socks5://user:secret@proxy:1080", "HTTPS_PROXY: the proxy must be http or https, and is socks5"],
  ["http://", "HTTPS_PROXY: is not the URL of a proxy"],
  ["http://user:secret@:80", "HTTPS_PROXY: is not the URL of a proxy"],
])("%s is refused without its value", (proxy, detail) => {
  expect(through({ HTTPS_PROXY: proxy })).toBe(detail);
});
