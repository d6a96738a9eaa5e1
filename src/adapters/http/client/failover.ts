import type { Clock } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { Log, LogFields } from "../../../kernel/log.ts";
import { RateLimitedError } from "../../../worker/answers/service-errors.ts";
import type { NodeSetting } from "../connection/node-url.ts";
import { createRotation, type RestTimes } from "./endpoint-rotation.ts";

/** The meaning of a failure for its node, where it differs from the common case. */
export type Fault =
  /** The node does not rest, and nothing is logged. */
  | "none"
  /** A mistake in the configuration, described by `says`. It is logged as an error. */
  | { readonly restMs: number; readonly says: string };

export interface FailoverOptions<N> {
  /** Nodes with equivalent answers, in the order of preference. */
  readonly nodes: readonly N[];
  /** The variable that names the nodes. */
  readonly setting: NodeSetting;
  readonly rests: RestTimes;
  /** Nodes asked for one answer at most; without it all. */
  readonly maxTries?: number;
  readonly clock: Pick<Clock, "ticks">;
  readonly log: Log;
  readonly judge?: (node: N, error: AppError) => Fault | undefined;
}

export interface NodeFailure<N> {
  readonly node: N;
  readonly error: AppError;
}

/** A value, or the failures of all nodes that were called, in the order of the calls. */
export type FailoverResult<N, T> = { readonly value: T } | { readonly failures: readonly NodeFailure<N>[] };

/**
 * Calls one node after the other until `ask` gives an answer. `ask` throws an AppError for a failure that another node
 * may not have. `about` goes into the log with each failure.
 *
 * @throws any error of `ask` that is no AppError: a bug. @throws the reason of `signal`: no node counts as failed for
 * that.
 */
export type Failover<N> = <T>(
  ask: (node: N) => Promise<T>,
  signal: AbortSignal,
  about?: LogFields,
) => Promise<FailoverResult<N, T>>;

/** A failover over nodes. Their `name` is for logs: never a URL, which may hold a key. */
export function createFailover<N extends { readonly name: string }>(options: FailoverOptions<N>): Failover<N> {
  const { nodes, setting, rests, maxTries = nodes.length, clock, log, judge } = options;
  const rota = createRotation(nodes, rests);

  const failed = (node: N, error: AppError, about: LogFields) => {
    const fault = judge?.(node, error);
    if (fault === "none") return;
    rota.failed(node, clock.ticks(), fault?.restMs ?? askedRestOf(error));
    const fields = { ...about, endpoint: node.name, reason: error.message };
    if (fault === undefined) log.warn(`an endpoint of ${setting} gives no usable answer`, fields);
    else log.error(`an endpoint of ${setting} ${fault.says}`, fields);
  };

  return async (ask, signal, about = {}) => {
    const failures: NodeFailure<N>[] = [];
    for (const node of rota.order(clock.ticks()).slice(0, maxTries)) {
      try {
        const value = await ask(node);
        rota.worked(node);
        return { value };
      } catch (thrown) {
        signal.throwIfAborted();
        if (!(thrown instanceof AppError)) throw thrown;
        failures.push({ node, error: thrown });
        failed(node, thrown, about);
      }
    }
    return { failures };
  };
}

function askedRestOf(error: AppError): number | undefined {
  return error instanceof RateLimitedError ? error.retryAfterMs : undefined;
}
