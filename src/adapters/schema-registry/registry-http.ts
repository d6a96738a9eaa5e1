import { AppError } from "../../kernel/errors.ts";
import { KeyReplacedError, UnauthorizedError, UnavailableError } from "../../worker/answers/service-errors.ts";
import type { KeySource } from "../../worker/ports.ts";
import { JsonServer, type JsonServerOptions, type TextResponse } from "../http/client/json-server.ts";
import { reasonOf } from "../http/client/reason.ts";
import { MAX_SCHEMA_BYTES } from "./compiled-schema.ts";

/** How a client proves itself to the registry. The secret may change while the program runs. */
export type RegistryLogin =
  | { readonly kind: "basic"; readonly user: string; readonly password: KeySource }
  | { readonly kind: "bearer"; readonly token: KeySource };

export interface RegistryHttpOptions extends Omit<JsonServerOptions, "setting" | "connections"> {
  /** The URL in front of the paths, checked by `checkedUrl`. */
  readonly baseUrl: string;
  readonly login?: RegistryLogin;
}

/** The registry does not have what the path names. Another answer would not change that soon. */
export class RegistryLacksError extends AppError {
  readonly code = "ITEM_FAILED";
  readonly retryable = false;
}

/** The registry refuses a request for its content, such as a schema that is not compatible. */
export class RegistryRefusedError extends AppError {
  readonly code = "REJECTED";
  readonly retryable = false;
}

/** A schema is a JSON text within the JSON of an answer, where each quote takes two bytes. */
const MAX_ANSWER_BYTES = 2 * MAX_SCHEMA_BYTES + 65_536;
/** Concurrent requests. A worker needs a handful of schemas. */
const CONNECTIONS = 4;
const JSON_TYPE = /^application\/(?:json|vnd\.schemaregistry(?:\.v1)?\+json)\s*(?:;|$)/i;
const ANY_TYPE = /^/;

/**
 * A 404 for the content of a request. Any other 404 comes from a wrong URL or a proxy, and says nothing of a schema.
 * Source: Confluent, "Schema Registry API Reference"; Apicurio Registry 2.6 and 3.0, "Core Registry API".
 */
const LACKS_CODES: ReadonlySet<unknown> = new Set([40401, 40402, 40403]);
const LACKS_NAME = /^(?:Artifact|Content|Version|Group)NotFoundException$/;

/** Sends requests to a schema registry, without retries. */
export class RegistryHttp {
  readonly #options: RegistryHttpOptions;
  readonly #server: JsonServer;

  constructor(options: RegistryHttpOptions) {
    this.#options = options;
    this.#server = new JsonServer({ ...options, setting: "SCHEMA_REGISTRY_URL", connections: CONNECTIONS });
  }

  /**
   * The JSON answer at `path`; with a body, the answer to a POST.
   *
   * @throws {RegistryLacksError | RegistryRefusedError | UnauthorizedError | UnavailableError}
   */
  async json(path: string, signal: AbortSignal, body?: unknown): Promise<unknown> {
    return this.#ask(path, signal, body, ({ json }) => json({ mediaType: JSON_TYPE, maxBytes: MAX_ANSWER_BYTES }));
  }

  /** The text of a schema at `path`. @throws as `json` */
  async text(path: string, signal: AbortSignal): Promise<string> {
    return this.#ask(path, signal, undefined, ({ text }) => text({ mediaType: ANY_TYPE, maxBytes: MAX_SCHEMA_BYTES }));
  }

  /** Aborts the requests in flight. */
  async close(): Promise<void> {
    await this.#server.destroy();
  }

  async #ask<T>(
    path: string,
    signal: AbortSignal,
    body: unknown,
    read: (response: TextResponse) => Promise<T>,
  ): Promise<T> {
    const { baseUrl, login } = this.#options;
    const [headers, secret] = loginHeaders(login);
    const request = { url: `${baseUrl}${path}`, headers, body: body === undefined ? undefined : JSON.stringify(body) };
    try {
      return await this.#server.exchange(request, signal, async (response) => {
        const { status } = response;
        if (status === 200) return read(response);
        if (status === 401 || status === 403) throw await this.#refusal(status, secret);
        const said = await response.json({ mediaType: JSON_TYPE }).catch(() => undefined);
        throw failureOf(status, said);
      });
    } catch (thrown) {
      if (thrown instanceof AppError) throw thrown;
      signal.throwIfAborted();
      throw new UnavailableError(`no answer: ${reasonOf(thrown)}`, {}, { cause: thrown });
    }
  }

  /** A secret in a file may have been replaced since it was read. */
  async #refusal(status: number, secret: KeySource | undefined): Promise<AppError> {
    const what = `answered ${status}`;
    return (await secret?.reload()) === true ? new KeyReplacedError(what) : new UnauthorizedError(what);
  }
}

function loginHeaders(login: RegistryLogin | undefined): [Record<string, string>, KeySource | undefined] {
  if (login === undefined) return [{}, undefined];
  if (login.kind === "bearer") return [{ authorization: `Bearer ${login.token.current().reveal()}` }, login.token];
  const pair = `${login.user}:${login.password.current().reveal()}`;
  return [{ authorization: `Basic ${Buffer.from(pair).toString("base64")}` }, login.password];
}

function failureOf(status: number, said: unknown): AppError {
  const [code, name] =
    typeof said === "object" && said !== null ? [Reflect.get(said, "error_code"), Reflect.get(said, "name")] : [];
  if (status === 404 && (LACKS_CODES.has(code) || LACKS_NAME.test(String(name))))
    return new RegistryLacksError("is not in the registry");
  if (status === 409) return new RegistryRefusedError("is not compatible with an earlier version");
  if (status === 422) return new RegistryRefusedError("is refused as no valid schema");
  return new UnavailableError(`answered ${status}`, { status });
}
