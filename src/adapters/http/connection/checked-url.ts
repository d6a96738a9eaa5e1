import { ConfigInvalidError } from "../../../kernel/errors.ts";
import type { UrlSetting } from "./checked-lookup.ts";
import { isLoopback, isLoopbackName, whyRefused } from "./refused-address.ts";

/** What differs between the URLs that are configured: mostly what to do instead. */
interface UrlRules {
  readonly setting: UrlSetting;
  /** How the server knows its clients, since the URL must not tell. */
  readonly credentials: string;
  /** What to give where more than that was given. */
  readonly whole: string;
  /** Whether it may have a query, in which many nodes look for a key: then the whole URL is a secret. */
  readonly mayHaveQuery?: boolean;
  readonly http: { readonly allowed: boolean; readonly danger: string; readonly instead: string };
}

/**
 * The URL in the form that requests are made from, without a slash at its end: https, or http on this machine. What its
 * host name resolves to is checked at each connection (`checked-lookup.ts`).
 *
 * @throws {ConfigInvalidError} which never holds the URL: there may be a password in it.
 */
export function checkedUrl(
  text: string,
  { setting, credentials, whole, mayHaveQuery = false, http }: UrlRules,
): string {
  const refusal = (what: string) => new ConfigInvalidError(`${setting} ${what}`);
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw refusal("must be an http or https URL");
  if (url.username !== "" || url.password !== "")
    throw refusal(`must not hold a user name or a password: ${credentials}`);
  if ((mayHaveQuery ? /#/ : /[?#]/).test(url.href)) throw refusal(`must not hold a query or a fragment: ${whole}`);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isHere = isLoopback(host) || isLoopbackName(host);
  if (url.protocol === "http:" && !isHere && !http.allowed)
    throw refusal(`is http, so the network can ${http.danger}: ${http.instead}`);
  const why = isName(host) ? undefined : whyRefused(host);
  if (why !== undefined) throw refusal(`names ${why}, and no service is asked there: give the address of the service`);
  return url.search === "" ? url.href.replace(/\/+$/, "") : url.href;
}

/** A URL parser turns every spelling of an IPv4 address (0x7f.1) into four decimals, and refuses names that end in one. */
function isName(host: string): boolean {
  return !host.includes(":") && !/^[\d.]+$/.test(host);
}
