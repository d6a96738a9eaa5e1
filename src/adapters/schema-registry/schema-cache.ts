import { abortable } from "../../kernel/async.ts";
import type { Clock } from "../../kernel/clock.ts";
import { AppError, toError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import { backoffMs, type Random, type RetryPolicy } from "../../kernel/retry.ts";
import { UnauthorizedError } from "../../worker/answers/service-errors.ts";
import { compileSchema } from "./compile-schema.ts";
import type { CompiledSchema, RegisteredSchema } from "./compiled-schema.ts";
import { UndecodableError } from "./json-text.ts";
import type { RegistryOutcome } from "./registry-outcome.ts";
import { refText, type SchemaRef } from "./wire-format.ts";

export interface SchemaCacheDeps {
  /** One attempt to read a schema. @throws {UndecodableError} for a schema that is not there or cannot be used. */
  readonly fetch: (ref: SchemaRef, signal: AbortSignal) => Promise<RegisteredSchema>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Pick<Log, "info" | "warn">;
  readonly onRequest: (outcome: RegistryOutcome) => void;
  /** Ends every wait. */
  readonly signal: AbortSignal;
  readonly maxSchemas?: number;
}

/** A schema, or why its records cannot be read. */
interface Entry {
  readonly schema: Result<CompiledSchema>;
  /** When a schema that cannot be used is asked for again, milliseconds of `ticks`. */
  readonly until: number;
}

/** Chosen: a topic has a few schemas, and each takes some kilobytes when it is compiled. */
const MAX_SCHEMAS = 1_000;
/** Chosen: a schema that is registered late is read a minute later. */
const UNUSABLE_MS = 60_000;
/** A registry of several nodes may lack for a moment what one of them has. A producer of such ids delays itself only. */
const GRACE_MS = 1_000;
/** With so many ids that the registry lacks, another one is not waited for. */
const MOST_GRACES = 20;
const RETRY: RetryPolicy = { attempts: Number.POSITIVE_INFINITY, baseMs: 200, maxMs: 15_000 };
const LOG_EVERY_MS = 60_000;

/**
 * The schemas of a registry. Each is requested once, however many records need it, and kept until others take its
 * room: an id stands for one schema forever. While the registry is down or refuses the login, requests go on, and
 * no record becomes unreadable by it.
 */
export class SchemaCache {
  readonly #deps: SchemaCacheDeps;
  /** The least recently used one comes first. */
  readonly #entries = new Map<string, Entry>();
  readonly #loading = new Map<string, Promise<void>>();
  #unusable = 0;
  #failure: "unauthorized" | "failing" | undefined;
  #loggedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: SchemaCacheDeps) {
    this.#deps = deps;
  }

  /** Why no schema is read; undefined while the registry answers. */
  get failure(): "unauthorized" | "failing" | undefined {
    return this.#failure;
  }

  /** Number of schemas that are waited for. */
  get waiting(): number {
    return this.#loading.size;
  }

  /** The schema, or why it cannot be used; undefined when it is not at hand. */
  get(ref: SchemaRef): Result<CompiledSchema> | undefined {
    return this.#entries.get(refText(ref))?.schema;
  }

  /** Makes a schema the most recently used one. @returns whether it is at hand, and need not be asked for again. */
  touch(ref: SchemaRef): boolean {
    const key = refText(ref);
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until <= this.#deps.clock.ticks()) return false;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return true;
  }

  /** Resolves once the schema is at hand, or the cache has ended. Never rejects. */
  load(ref: SchemaRef): Promise<void> {
    const key = refText(ref);
    const loading = this.#loading.get(key);
    if (loading !== undefined) return loading;
    const started = this.#load(ref).finally(() => this.#loading.delete(key));
    this.#loading.set(key, started);
    return started;
  }

  async #load(ref: SchemaRef): Promise<void> {
    const { clock, random, signal } = this.#deps;
    let hadGrace = this.#unusable >= MOST_GRACES;
    for (let attempt = 1; !signal.aborted; attempt++) {
      const schema = await this.#attempt(ref);
      if (schema?.ok === true || (schema !== undefined && hadGrace)) return this.#keep(ref, schema);
      const waitMs = schema === undefined ? backoffMs(RETRY, attempt, random) : GRACE_MS;
      if (schema !== undefined) hadGrace = true;
      await clock.sleep(waitMs, signal).catch(() => undefined);
    }
  }

  /** One request. @returns undefined when it says nothing of the schema. */
  async #attempt(ref: SchemaRef): Promise<Result<CompiledSchema> | undefined> {
    const { fetch, signal, onRequest } = this.#deps;
    try {
      const fetched = await abortable(fetch(ref, signal), signal);
      this.#answered();
      const schema = ok(await compileSchema(fetched));
      onRequest("ok");
      return schema;
    } catch (thrown) {
      if (signal.aborted) return undefined;
      if (thrown instanceof UndecodableError) {
        this.#answered();
        onRequest("unusable");
        return fail(thrown.message);
      }
      if (!(thrown instanceof AppError)) throw thrown;
      this.#failed(thrown);
      return undefined;
    }
  }

  #keep(ref: SchemaRef, schema: Result<CompiledSchema>): void {
    const key = refText(ref);
    this.#forget(key);
    const until = schema.ok ? Number.POSITIVE_INFINITY : this.#deps.clock.ticks() + UNUSABLE_MS;
    this.#entries.set(key, { schema, until });
    if (!schema.ok) this.#unusable++;
    const { maxSchemas = MAX_SCHEMAS } = this.#deps;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= maxSchemas) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    if (this.#entries.get(key)?.schema.ok === false) this.#unusable--;
    this.#entries.delete(key);
  }

  #answered(): void {
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    this.#loggedAt = Number.NEGATIVE_INFINITY;
    this.#deps.log.info("the schema registry answers again: reading goes on");
  }

  #failed(thrown: AppError): void {
    const { clock, log, onRequest } = this.#deps;
    const isUnauthorized = thrown instanceof UnauthorizedError;
    this.#failure = isUnauthorized ? "unauthorized" : "failing";
    onRequest(isUnauthorized ? "unauthorized" : "failed");
    if (clock.ticks() - this.#loggedAt < LOG_EVERY_MS) return;
    this.#loggedAt = clock.ticks();
    const what = isUnauthorized ? "refuses the login" : "gives no schema";
    log.warn(`the schema registry ${what}: partitions that need a new schema wait`, {
      reason: toError(thrown).message,
    });
  }
}
