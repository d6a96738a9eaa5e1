import { describe, expect, test } from "vitest";
import { proxyFor } from "../../../../../src/adapters/http/connection/proxy-for.ts";

const URL_OF_SERVICE = "https://api.vendor.example/base";
const through = (variables: Record<string, string>, url = URL_OF_SERVICE) => {
  const found = proxyFor(url, variables);
  return found.ok ? found.value?.url.href : found.detail;
};
const HTTPS_PROXY = "http://proxy.corp.example:3128";

test.each<[Record<string, string>, string | undefined, string?]>([
  [{}, undefined],
  [{ HTTPS_PROXY: "" }, undefined],
  [{ https_proxy: "", HTTPS_PROXY }, undefined],
  [{ https_proxy: " ", HTTPS_PROXY, ALL_PROXY: HTTPS_PROXY }, undefined],
  [{ HTTPS_PROXY: "", ALL_PROXY: HTTPS_PROXY }, undefined],
  [{ ALL_PROXY: HTTPS_PROXY }, "http://proxy.corp.example:3128/"],
  [{ ALL_PROXY: HTTPS_PROXY }, "http://proxy.corp.example:3128/", "http://api.vendor.example"],
  [{ all_proxy: "http://other:1", ALL_PROXY: HTTPS_PROXY }, "http://other:1/"],
  [{ all_proxy: "", ALL_PROXY: HTTPS_PROXY }, undefined],
  [{ HTTPS_PROXY: "http://other:1", all_proxy: HTTPS_PROXY }, "http://other:1/"],
  [{ HTTPS_PROXY }, "http://proxy.corp.example:3128/"],
  [{ https_proxy: HTTPS_PROXY }, "http://proxy.corp.example:3128/"],
  [{ https_proxy: HTTPS_PROXY, HTTPS_PROXY: "http://other:1" }, "http://proxy.corp.example:3128/"],
  [{ HTTPS_PROXY: "proxy.corp.example:3128" }, "http://proxy.corp.example:3128/"],
  [{ HTTPS_PROXY: "https://user:p%40ss@proxy.corp.example" }, "https://user:p%40ss@proxy.corp.example/"],
  [{ HTTP_PROXY: HTTPS_PROXY }, undefined],
  [{ HTTP_PROXY: HTTPS_PROXY }, "http://proxy.corp.example:3128/", "http://api.vendor.example"],
  [{ HTTPS_PROXY }, undefined, "http://api.vendor.example"],
])("%j selects the proxy %s", (variables, expected, url) => {
  expect(through(variables, url)).toBe(expected);
});

test.each(["https://127.0.0.1:8080", "http://localhost:8080", "https://[::1]:8080"])(
  "no proxy is used for this machine: %s",
  (url) => {
    expect(through({ HTTPS_PROXY, HTTP_PROXY: HTTPS_PROXY }, url)).toBeUndefined();
  },
);

test.each<[Record<string, string>, string]>([
  [{ https_proxy: HTTPS_PROXY, HTTPS_PROXY: "http://other:1" }, "https_proxy"],
  [{ HTTPS_PROXY }, "HTTPS_PROXY"],
  [{ all_proxy: HTTPS_PROXY }, "all_proxy"],
  [{ ALL_PROXY: HTTPS_PROXY }, "ALL_PROXY"],
])("%j: the proxy is named by the variable %s", (variables, variable) => {
  expect(proxyFor(URL_OF_SERVICE, variables)).toMatchObject({ ok: true, value: { variable } });
});

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
    ".api.vendor.example",
    "*.api.vendor.example",
    "vendor.example.",
  ])("%j exempts the service", (NO_PROXY) => {
    expect(through({ HTTPS_PROXY, NO_PROXY })).toBeUndefined();
    expect(through({ HTTPS_PROXY, no_proxy: NO_PROXY })).toBeUndefined();
  });

  test.each([
    "",
    "vendor.example:8443",
    "endor.example",
    "vendor",
    "vendor.example.com",
    ".",
    ",",
    "*vendor.example",
    "v*",
    "0.0.0.0/0",
  ])("%j does not exempt the service", (NO_PROXY) => {
    expect(through({ HTTPS_PROXY, NO_PROXY })).toBe("http://proxy.corp.example:3128/");
  });

  test.each(["https://api.vendor.example./base", "https://API.vendor.example"])("exempts %s", (url) => {
    expect(through({ HTTPS_PROXY, NO_PROXY: "vendor.example" }, url)).toBeUndefined();
  });

  test("in lower case and empty disables the one in upper case", () => {
    expect(through({ HTTPS_PROXY, no_proxy: "", NO_PROXY: "*" })).toBe("http://proxy.corp.example:3128/");
  });

  test.each([
    ["10.0.0.0/8", "https://10.200.3.4"],
    ["a,192.168.0.0/16", "https://192.168.255.1:8443"],
    ["10.1.2.3/32", "https://10.1.2.3"],
    ["2001:db8::/32", "https://[2001:db8:5::1]"],
    ["[2001:db8::]/32", "https://[2001:db8:5::1]"],
    ["2001:DB8:0:0::7", "https://[2001:db8::7]"],
  ])("%j exempts %s", (NO_PROXY, url) => {
    expect(through({ HTTPS_PROXY, NO_PROXY }, url)).toBeUndefined();
  });

  test.each([
    ["10.0.0.0/8", "https://11.0.0.1"],
    ["10.0.0.0/33", "https://10.0.0.1"],
    ["10.0.0.0/", "https://10.0.0.1"],
    ["10.0.0.0/8/8", "https://10.0.0.1"],
    ["2001:db8::/32", "https://10.0.0.1"],
    ["0.1", "https://10.0.0.1"],
    [".0.0.1", "https://10.0.0.1"],
  ])("%j does not exempt %s", (NO_PROXY, url) => {
    expect(through({ HTTPS_PROXY, NO_PROXY }, url)).toBe("http://proxy.corp.example:3128/");
  });

  test("accepts addresses, with an optional port", () => {
    expect(through({ HTTPS_PROXY, NO_PROXY: "192.0.2.7" }, "https://192.0.2.7:8443")).toBeUndefined();
    expect(through({ HTTPS_PROXY, NO_PROXY: "[2001:db8::7]:8443" }, "https://[2001:db8::7]:8443")).toBeUndefined();
    expect(through({ HTTPS_PROXY, NO_PROXY: "2001:db8::7" }, "https://[2001:db8::7]:8443")).toBeUndefined();
    expect(through({ HTTPS_PROXY, NO_PROXY: "[2001:db8::7]:1" }, "https://[2001:db8::7]:8443")).toBeDefined();
  });
});

const SOCKS =
  "SOCKS proxies are not supported: name an http or https proxy in HTTPS_PROXY, or the host of the service in NO_PROXY";

test.each<[Record<string, string>, string]>([
  [{ HTTPS_PROXY: "socks5://user:secret@proxy:1080" }, `HTTPS_PROXY: ${SOCKS}`],
  [{ https_proxy: "socks4://proxy:1080" }, `https_proxy: ${SOCKS}`],
  [{ ALL_PROXY: "socks5h://proxy:1080" }, `ALL_PROXY: ${SOCKS}`],
  [{ all_proxy: "SOCKS://proxy:1080" }, `all_proxy: ${SOCKS}`],
  [{ HTTPS_PROXY: "ftp://proxy:1" }, "HTTPS_PROXY: the proxy must be http or https, and is ftp"],
  [{ https_proxy: "http://" }, "https_proxy: is not the URL of a proxy"],
  [{ HTTPS_PROXY: "http://user:secret@:80" }, "HTTPS_PROXY: is not the URL of a proxy"],
])("%j is refused without its value in the message", (variables, detail) => {
  expect(through(variables)).toBe(detail);
});

test("a SOCKS proxy is ignored where the service is exempt", () => {
  expect(through({ ALL_PROXY: "socks5://proxy:1080", NO_PROXY: "vendor.example" })).toBeUndefined();
});
