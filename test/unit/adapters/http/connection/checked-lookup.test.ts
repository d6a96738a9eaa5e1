import type { LookupAddress, LookupOptions } from "node:dns";
import { expect, test } from "vitest";
import { checkedLookup } from "../../../../../src/adapters/http/connection/checked-lookup.ts";

const addressesOf = (texts: readonly string[]): LookupAddress[] =>
  texts.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

/** The result of a socket's lookup for a host with these addresses. */
function told(host: string, has: readonly string[] | Error, options: LookupOptions = { all: true }) {
  const asked: unknown[] = [];
  const lookup = checkedLookup((name, given, done) => {
    asked.push([name, given]);
    if (has instanceof Error) done(has, []);
    else done(null, addressesOf(has));
  }, "SERVICE_URL");
  const { promise, resolve } = Promise.withResolvers<readonly unknown[]>();
  lookup(host, options, (...result) => resolve(result));
  return promise.then((result) => ({ result, asked }));
}

test("all allowed addresses are returned in their order", async () => {
  const has = ["fe80::1", "10.0.0.1", "169.254.169.254", "fd12::1", "1.1.1.1"];

  const { result } = await told("weir.example", has);

  expect(result).toEqual([null, addressesOf(["10.0.0.1", "fd12::1", "1.1.1.1"])]);
});

test("a lookup for one address returns the first, with its family", async () => {
  expect((await told("weir.example", ["169.254.1.1", "::1", "1.1.1.1"], {})).result).toEqual([null, "::1", 6]);
});

test("the resolver is queried for all addresses, with the other options of the socket", async () => {
  const { asked } = await told("weir.example", ["1.1.1.1"], { family: 4, hints: 32 });

  expect(asked).toEqual([["weir.example", { family: 4, hints: 32, all: true }]]);
});

test.each<[string, readonly string[], string]>([
  ["weir.example", ["169.254.169.254", "fe80::1"], "resolves to 169.254.169.254, .* a link-local address"],
  ["weir.example", ["::ffff:169.254.169.254"], "resolves to ::ffff:169.254.169.254, .* a link-local address"],
  ["weir.example", ["fd00:ec2::254"], "resolves to fd00:ec2::254, .* an address of cloud metadata"],
  ["localhost", ["10.0.0.1"], "resolves to 10.0.0.1, .* not an address of this machine"],
  ["weir.localhost", ["1.1.1.1"], "resolves to 1.1.1.1, .* not an address of this machine"],
  ["weir.example", [], "has no address"],
])("%s with %j is refused with the reason", async (host, has, message) => {
  const [error, ...rest] = (await told(host, has)).result;

  expect(error).toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringMatching(`^${host}, the host of SERVICE_URL, ${message}`),
  });
  expect(rest).toEqual([[]]);
});

test("loopback names resolve to this machine only", async () => {
  expect((await told("localhost", ["::1", "127.0.0.1"])).result).toEqual([null, addressesOf(["::1", "127.0.0.1"])]);
});

test("a resolver's own error is passed on", async () => {
  const error = new Error("ENOTFOUND");

  expect((await told("weir.example", error)).result).toEqual([error, []]);
});
