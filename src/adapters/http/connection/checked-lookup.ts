import type { LookupAddress, LookupAllOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import { UnavailableError } from "../../../worker/answers/service-errors.ts";
import { isLoopback, isLoopbackName, whyRefused } from "./refused-address.ts";

/** Finds all addresses of a host name: `lookup` of node:dns, or a stand-in. */
export type Lookup = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The variable with the host that is looked up, for errors. */
export type UrlSetting =
  | "SERVICE_URL"
  | "KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL"
  | "SCHEMA_REGISTRY_URL"
  | "S3_ENDPOINT"
  | "TRON_RPC_URL"
  | "SOLANA_RPC_URL"
  | "EVM_RPC_URLS"
  | "EVM_VERIFIER_URL"
  | "EVM_TOKEN_INDEX_URL";

/**
 * A lookup for sockets that returns only allowed addresses. The socket uses these addresses without a second lookup. So
 * a later change of the name's addresses (DNS rebinding, CWE-350) has no effect.
 */
export function checkedLookup(lookup: Lookup, setting: UrlSetting): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      const allowed = addresses.filter(({ address }) => whyNot(host, address) === undefined);
      const [first] = allowed;
      if (first === undefined) return done(nothingLeft(host, setting, addresses), []);
      return options.all === true ? done(null, allowed) : done(null, first.address, first.family);
    });
  };
}

function whyNot(host: string, address: string): string | undefined {
  // Plain http is allowed to these names because the traffic never leaves the machine.
  if (isLoopbackName(host) && !isLoopback(address)) return "not an address of this machine";
  return whyRefused(address);
}

function nothingLeft(host: string, setting: UrlSetting, [first]: readonly LookupAddress[]): UnavailableError {
  if (first === undefined) return new UnavailableError(`${host}, the host of ${setting}, has no address`);
  return new UnavailableError(
    `${host}, the host of ${setting}, resolves to ${first.address}, where no service is asked: it is ${whyNot(host, first.address)}`,
  );
}
