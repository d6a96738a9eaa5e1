import type { OauthbearerProviderResponse } from "kafkajs";
import type { Clock } from "../../../kernel/clock.ts";
import { AppError, toError } from "../../../kernel/errors.ts";
import type { Secret } from "../../../kernel/secret.ts";

/** The source of the token that authenticates this client at a broker. Files are read again for each token. */
export type OauthSource =
  | { readonly tokenFile: string }
  | {
      /** https, or http on this machine. */
      readonly endpoint: string;
      readonly clientId: string;
      readonly clientSecret: () => Promise<Secret>;
      readonly scope?: string;
    };

export interface OauthDeps {
  readonly clock: Pick<Clock, "now">;
  readonly fetch: typeof fetch;
  /** @throws when the file cannot be read. */
  readonly readFile: (file: string) => Promise<string>;
}

/** The lack of a token for a broker. The message never holds a token or a secret. */
export class TokenError extends AppError {
  readonly code = "KAFKA_UNREACHABLE";
  readonly retryable: boolean;
  /** kafkajs reads this field name. */
  readonly retriable: boolean;
  readonly remedy: string;

  constructor(message: string, remedy: string, retryable: boolean) {
    super(message);
    this.remedy = remedy;
    this.retryable = retryable;
    this.retriable = retryable;
  }
}

interface Token {
  readonly value: string;
  /** Unix milliseconds: from `refreshAt` on a new token is fetched, and from `endsAt` on this token is useless. */
  readonly refreshAt: number;
  readonly endsAt: number;
}

/** Source: Java's sasl.login.refresh.window.factor, with the default 0.8. */
const REFRESH_AT = 0.8;
/**
 * Least remaining life of a token for a connection, milliseconds. kafkajs sends a new token 10 s before the last one
 * ends. A broker refuses a new token within a second of the last time.
 */
const LEAST_LIFE_MS = 15_000;
const TIMEOUT_MS = 10_000;
/** Chosen: a token has a few kilobytes. */
const MAX_ANSWER_BYTES = 65_536;

/**
 * The token function that kafkajs calls at each authentication. Connections share a token until four fifths of its life
 * have passed.
 */
export function oauthTokens(source: OauthSource, deps: OauthDeps): () => Promise<OauthbearerProviderResponse> {
  if ("tokenFile" in source) return () => tokenInFile(source.tokenFile, deps);
  let token: Token | undefined;
  let fetching: Promise<Token> | undefined;
  return async () => {
    const now = deps.clock.now();
    if (token !== undefined && now < token.refreshAt) return { value: token.value };
    fetching ??= fetchToken(source, deps).finally(() => {
      fetching = undefined;
    });
    try {
      token = await fetching;
    } catch (thrown) {
      // A token endpoint that is down for a while must not cut off a client with a valid token.
      if (token === undefined || deps.clock.now() >= token.endsAt) throw thrown;
    }
    return { value: token.value };
  };
}

async function tokenInFile(file: string, { readFile }: OauthDeps): Promise<OauthbearerProviderResponse> {
  const remedy = "see that KAFKA_SASL_OAUTHBEARER_TOKEN_FILE names the file that the token is written to";
  const text = await readFile(file).catch((thrown: unknown) => {
    throw new TokenError(`the token file cannot be read: ${toError(thrown).message}`, remedy, true);
  });
  const value = text.trim();
  if (!isToken(value)) throw new TokenError(`the token file ${file} holds no token`, remedy, true);
  return { value };
}

type Endpoint = Exclude<OauthSource, { readonly tokenFile: string }>;

/** Source: RFC 6749, sections 2.3.1 and 4.4. */
async function fetchToken(
  { endpoint, clientId, clientSecret, scope }: Endpoint,
  { clock, fetch }: OauthDeps,
): Promise<Token> {
  const secret = await clientSecret();
  const credentials = [clientId, secret.reveal()].map((text) => encodeURIComponent(text)).join(":");
  const askedAt = clock.now();
  const asked = fetch(endpoint, {
    method: "POST",
    headers: {
      accept: "application/json",
      authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
    },
    body: new URLSearchParams({ grant_type: "client_credentials", ...(scope === undefined ? {} : { scope }) }),
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { status, text } = await asked
    .then(async (answer) => ({ status: answer.status, text: await boundedText(answer) }))
    .catch((thrown: unknown) => {
      throw unreached(thrown);
    });
  if (status !== 200) throw refused(status, text);
  const answer = objectIn(text);
  const value: unknown = Reflect.get(answer, "access_token");
  if (typeof value !== "string" || !isToken(value)) {
    throw new TokenError("the token endpoint answers without an access_token", REMEDY, false);
  }
  const seconds = Number(Reflect.get(answer, "expires_in") ?? 0);
  const lifeMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0;
  return {
    value,
    refreshAt: askedAt + Math.min(REFRESH_AT * lifeMs, lifeMs - LEAST_LIFE_MS),
    endsAt: askedAt + lifeMs,
  };
}

const REMEDY = "see that KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL is the token endpoint of the authorization server";

function unreached(thrown: unknown): TokenError {
  const error = toError(thrown);
  const why = error.cause instanceof Error ? error.cause.message : error.message;
  return new TokenError(`the token endpoint does not answer: ${why}`, REMEDY, true);
}

/** Only the codes of RFC 6749 are shown: a description may repeat the request. */
function refused(status: number, text: string): TokenError {
  const said: unknown = Reflect.get(objectIn(text), "error");
  const code = typeof said === "string" && /^[a-z_]{1,40}$/.test(said) ? ` ${said}` : "";
  const mayPass = status === 429 || status >= 500;
  const remedy = mayPass ? REMEDY : "correct KAFKA_SASL_OAUTHBEARER_CLIENT_ID, the secret or the scope";
  return new TokenError(`the token endpoint answers ${status}${code}`, remedy, mayPass);
}

function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

async function boundedText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`its answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * A token is embedded in a message with its own syntax, and a control character would change that message. Source: RFC
 * 6750, section 2.1.
 */
function isToken(text: string): boolean {
  return /^[A-Za-z0-9\-._~+/]+=*$/.test(text);
}
