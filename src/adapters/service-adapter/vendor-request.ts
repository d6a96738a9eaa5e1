import { fail, ok, type Result } from "../../kernel/result.ts";
import type { JsonRequest } from "../http/client/json-server.ts";
import { ownHeaders } from "../http/service/own-headers.ts";
import { isObject } from "./adapter.ts";

const parts: ReadonlySet<string> = new Set(["path", "query", "headers", "body"]);
/** Characters of a path. Source: RFC 3986, 3.3. */
const PATH = /^\/(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*$/;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** Printable ASCII. Source: RFC 9110, 5.5. */
const HEADER_VALUE = /^[\x20-\x7E]{1,4000}$/;

/** The request that an adapter returns. Its URL always begins with SERVICE_URL. A request with a body is a POST. */
export function readRequest(value: unknown, baseUrl: string): Result<JsonRequest> {
  if (!isObject(value)) return fail("must be an object with a path");
  const unknown = Object.keys(value).find((name) => !parts.has(name));
  if (unknown !== undefined) return fail(`${unknown}: is unknown; known are ${[...parts].join(", ")}`);
  const { path, query = {}, headers = {}, body } = value;
  if (typeof path !== "string" || !PATH.test(path))
    return fail("path: must begin with / and hold characters of a path: give each part to encodeURIComponent");
  // A dot may be written as %2e as well.
  const isUp = (part: string) => /^\.{1,2}$/.test(part.replaceAll(/%2e/gi, "."));
  if (path.split("/").some(isUp)) return fail("path: must not hold . or ..");
  const search = searchOf(query);
  if (search === undefined) return fail("query: must hold texts, numbers and booleans");
  const fault = headerFault(headers);
  if (fault !== undefined) return fail(`headers: ${fault}`);
  const url = `${baseUrl}${path}${search}`;
  const sent = { url, headers: headers as Readonly<Record<string, string>> };
  if (body === undefined) return ok(sent);
  if (typeof body !== "object" || body === null) return fail("body: must be an object or an array");
  return ok({ ...sent, body: Buffer.from(JSON.stringify(body)) });
}

function searchOf(query: unknown): string | undefined {
  if (!isObject(query)) return undefined;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return undefined;
    search.set(name, String(value));
  }
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

function headerFault(headers: unknown): string | undefined {
  if (!isObject(headers)) return "must be an object";
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) return "must have names of headers";
    if (ownHeaders.has(name.toLowerCase())) return `${name} is a header that Weir writes itself`;
    if (typeof value !== "string" || !HEADER_VALUE.test(value)) return `${name} must be a text of printable ASCII`;
  }
  return undefined;
}
