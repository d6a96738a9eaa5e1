import { ConfigInvalidError } from "../../kernel/errors.ts";
import { isLoopback, isLoopbackName, whyRefused } from "./refused-address.ts";

/**
 * The base URL of the service, in the form that requests are made from, without a slash at its end. What its host name
 * resolves to is checked at each connection (`checked-lookup.ts`).
 *
 * @throws {ConfigInvalidError} which never holds the URL: there may be a password in it.
 */
export function serviceUrl(text: string, { allowHttp }: { readonly allowHttp: boolean }): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw refusal("must be an http or https URL");
  if (url.username !== "" || url.password !== "") {
    throw refusal("must not hold a user name or a password: the service knows its clients by SERVICE_API_KEY");
  }
  if (/[?#]/.test(url.href)) throw refusal("must not hold a query or a fragment: give what stands before /v2/svc");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isHere = isLoopback(host) || isLoopbackName(host);
  if (url.protocol === "http:" && !isHere && !allowHttp) {
    throw refusal(
      "is http, so the network can read the key and change the answers: use https, or set SERVICE_ALLOW_HTTP=true where that is meant",
    );
  }
  const why = isName(host) ? undefined : whyRefused(host);
  if (why !== undefined) throw refusal(`names ${why}, and no service is asked there: give the address of the service`);
  return url.href.replace(/\/+$/, "");
}

/** A URL parser turns every spelling of an IPv4 address (0x7f.1) into four decimals, and refuses names that end in one. */
function isName(host: string): boolean {
  return !host.includes(":") && !/^[\d.]+$/.test(host);
}

function refusal(what: string): ConfigInvalidError {
  return new ConfigInvalidError(`SERVICE_URL ${what}`);
}
