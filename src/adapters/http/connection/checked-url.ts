import { ConfigInvalidError } from "../../../kernel/errors.ts";
import type { UrlSetting } from "./checked-lookup.ts";
import { isLoopback, isLoopbackName, whyRefused } from "./refused-address.ts";

/** The rules in which the configured URLs differ: mostly the remedies. */
interface UrlRules {
  readonly setting: UrlSetting;
  /** The remedy for credentials in the URL. */
  readonly credentials: string;
  /** The remedy for a URL with superfluous parts. */
  readonly whole: string;
  /** Whether the URL may have a query. Many nodes read a key from the query, so the whole URL is then a secret. */
  readonly mayHaveQuery?: boolean;
  readonly http: { readonly allowed: boolean; readonly danger: string; readonly instead: string };
}

/**
 * The URL in the form that requests use, without a slash at its end: https, or http on this machine. The addresses of
 * its host name are checked at each connection (`checked-lookup.ts`).
 *
 * @throws {ConfigInvalidError} which never holds the URL, since the URL may hold a password.
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
