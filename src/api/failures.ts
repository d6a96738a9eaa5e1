import { z } from "zod";

/**
 * Every answer of the service that is not a success. `code`: -1 client error, -2 server error, 401 and 429 as named.
 * The bodies of other endpoints are "not shown" in the interface and follow the same shape. Source:
 * docs/decisions/0001-open-points.md, "Errors".
 */
export const failures = {
  invalidRequest: { http: 400, code: "-1", status: "invalid request" },
  unsupportedChain: { http: 400, code: "-1", status: "unsupported chain" },
  invalidAddress: { http: 400, code: "-1", status: "invalid address" },
  missingApiKey: { http: 401, code: "401", status: "Missing API key" },
  malformedApiKey: { http: 401, code: "401", status: "Malformed API key" },
  unknownApiKey: { http: 401, code: "401", status: "Unknown API key" },
  notFound: { http: 404, code: "-1", status: "not found" },
  bodyTooLarge: { http: 413, code: "-1", status: "invalid request" },
  schemaMismatch: { http: 422, code: "-1", status: "invalid request" },
  rateLimited: { http: 429, code: "429", status: "error" },
  internal: { http: 500, code: "-2", status: "internal server error" },
  badGateway: { http: 502, code: "-2", status: "bad gateway" },
  gatewayTimeout: { http: 504, code: "-2", status: "gateway timeout" },
} as const satisfies Record<string, { http: number; code: "-1" | "-2" | "401" | "429"; status: string }>;

export type FailureName = keyof typeof failures;

/** The fixed text of a 429. It is sent as `message` in place of `detail`. */
export const RATE_LIMIT_MESSAGE = "Rate limit exceeded";

/** Body of every failure. `detail` explains it; a 429 has `message` instead. */
export const FailureBody = z.looseObject({
  code: z.string(),
  status: z.string(),
  detail: z.string().optional(),
  message: z.string().optional(),
});
export type FailureBody = z.infer<typeof FailureBody>;

/** The body of the failure `name`. `detail` defaults to the status text. */
export function failureBody(name: FailureName, detail?: string): FailureBody {
  const { code, status } = failures[name];
  if (name === "rateLimited") return { code, status, message: RATE_LIMIT_MESSAGE };
  return { code, status, detail: detail ?? status };
}

/** Longer chain ids do not exist. The limit keeps an answer from growing to the size of the request. */
const MAX_SHOWN = 100;

/** The `detail` of an unsupported chain, for whole requests and for single items. */
export function unsupportedChainDetail(chainId: string): string {
  const shown = chainId.length > MAX_SHOWN ? `${chainId.slice(0, MAX_SHOWN)}…` : chainId;
  return `unsupported chainId: ${shown}`;
}

/** Error of one item inside a batch answer, in place of its verdict fields. */
export const ItemError = z.looseObject({
  code: z.string().describe("Failure of one item: unsupported_chain or invalid_address."),
  detail: z.string(),
});
export type ItemError = z.infer<typeof ItemError>;

export const ITEM_UNSUPPORTED_CHAIN = "unsupported_chain";
export const ITEM_INVALID_ADDRESS = "invalid_address";
