import { expect, test } from "vitest";
import { readRequest } from "../../../../src/adapters/service-adapter/vendor-request.ts";

const BASE = "https://vendor.test/api";
const read = (value: unknown) => readRequest(value, BASE);

test("a request is a GET behind the base, and undefined values are left out of its query", () => {
  expect(read({ path: "/risk/a%20b", query: { compare: "a,b", page: 2, all: true, none: undefined } })).toEqual({
    ok: true,
    value: { url: `${BASE}/risk/a%20b?compare=a%2Cb&page=2&all=true`, headers: {} },
  });
  expect(read({ path: "/", query: { none: undefined } })).toMatchObject({ value: { url: `${BASE}/` } });
});

test("a request with a body is a POST of JSON", () => {
  const request = read({ path: "/simulate", headers: { authorization: "Bearer k" }, body: { a: 1 } });
  expect(request).toEqual({
    ok: true,
    value: { url: `${BASE}/simulate`, headers: { authorization: "Bearer k" }, body: Buffer.from('{"a":1}') },
  });
});

test.each([
  [undefined, "must be an object with a path"],
  ["/risk", "must be an object with a path"],
  [{ path: "/risk", method: "PUT" }, "method: is unknown; known are path, query, headers, body"],
  [{ url: "https://elsewhere.test/" }, "url: is unknown"],
  [{}, "path: must begin with /"],
  [{ path: "risk" }, "path: must begin with /"],
  [{ path: "https://elsewhere.test/" }, "path: must begin with /"],
  [{ path: "/risk?x=1" }, "path: must begin with / and hold characters of a path"],
  [{ path: "/risk#x" }, "path: must begin with / and hold characters of a path"],
  [{ path: "/a\\b" }, "path: must begin with / and hold characters of a path"],
  [{ path: "/a b" }, "give each part to encodeURIComponent"],
  [{ path: "/%zz" }, "path: must begin with / and hold characters of a path"],
  [{ path: "/a/../b" }, "path: must not hold . or .."],
  [{ path: "/a/%2e%2E/b" }, "path: must not hold . or .."],
  [{ path: "/a/." }, "path: must not hold . or .."],
  [{ path: "/", query: "a=1" }, "query: must hold texts, numbers and booleans"],
  [{ path: "/", query: { a: [1] } }, "query: must hold texts, numbers and booleans"],
  [{ path: "/", headers: [] }, "headers: must be an object"],
  [{ path: "/", headers: { "a b": "c" } }, "headers: must have names of headers"],
  [{ path: "/", headers: { Host: "elsewhere.test" } }, "headers: Host is a header that Weir writes itself"],
  [{ path: "/", headers: { a: "b\r\nc: d" } }, "headers: a must be a text of printable ASCII"],
  [{ path: "/", headers: { a: 1 } }, "headers: a must be a text of printable ASCII"],
  [{ path: "/", body: "text" }, "body: must be an object or an array"],
  [{ path: "/", body: null }, "body: must be an object or an array"],
])("%j is refused: %s", (value, detail) => {
  expect(read(value)).toEqual({ ok: false, detail: expect.stringContaining(detail) });
});

test("no path leads to another host", () => {
  const request = read({ path: "//elsewhere.test/x" });
  expect(request.ok && new URL(request.value.url).host).toBe("vendor.test");
});
