import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { type FailureName, failureBody, failures } from "../../api/failures.ts";
import { API_KEY_HEADER, type Route, routes } from "../../api/routes.ts";
import type { Clock } from "../../kernel/clock.ts";
import { toError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Secret } from "../../kernel/secret.ts";
import type { Operations } from "../operations.ts";
import { isValidKey, refusalOf } from "./api-keys.ts";
import { endpoints } from "./endpoints.ts";
import { RateLimit, type RequestQuota } from "./rate-limit.ts";
import type { ServedObserver } from "./served-observer.ts";

export interface ServerDeps {
  readonly operations: Operations;
  readonly apiKeys: readonly Secret[];
  readonly clock: Clock;
  readonly log: Log;
  /** Requests per key and window. Without a quota, requests are not limited. */
  readonly quota?: RequestQuota;
  readonly observer: ServedObserver;
}

/** A full batch is 72-80 kB, pretty-printed about twice that. */
const BODY_LIMIT_BYTES = 1 << 20;

/** Limits for slow, greedy and hostile clients (CWE-400, CWE-770). Milliseconds and bytes. */
export interface ServerLimits {
  readonly maxConnections: number;
  readonly connectionTimeout: number;
  readonly requestTimeout: number;
  readonly handlerTimeout: number;
  readonly keepAliveTimeout: number;
  readonly maxRequestsPerSocket: number;
  /**
   * `connectionsCheckingInterval` is how often Node looks for overdue headers and requests. Node's default of 30 s is
   * too long.
   */
  readonly http: {
    readonly maxHeaderSize: number;
    readonly headersTimeout: number;
    readonly connectionsCheckingInterval: number;
  };
}

export const serverLimits: ServerLimits = {
  maxConnections: 512,
  connectionTimeout: 10_000,
  requestTimeout: 15_000,
  handlerTimeout: 10_000,
  keepAliveTimeout: 5_000,
  maxRequestsPerSocket: 1_000,
  http: { maxHeaderSize: 8_192, headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
};

/**
 * The HTTP server of the service, with one endpoint per method and path of the routes table. Keys are checked before
 * the body is read. Every failure has the interface's own shape, without internal details.
 */
export function buildServer(deps: ServerDeps, limits: ServerLimits = serverLimits): FastifyInstance {
  const { maxConnections, ...timeouts } = limits;
  const app = Fastify({
    ...timeouts,
    bodyLimit: BODY_LIMIT_BYTES,
    // While closing, the framework would refuse requests in a shape of its own.
    return503OnClosing: false,
    trustProxy: false,
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100 },
    frameworkErrors: (_error, _request, reply) => sendFailure(reply, "invalidRequest", "the URL is not valid"),
    // Without `destroySoon`, the connection would stay open as long as the client keeps writing.
    clientErrorHandler: (_error, socket) => {
      if (socket.writable) socket.write(malformedHttp);
      socket.destroySoon();
    },
  });
  app.server.maxConnections = maxConnections;
  app.server.headersTimeout = limits.http.headersTimeout;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.setErrorHandler<FastifyError>((error, request, reply) => answerError(error, request, reply, deps.log));
  app.setNotFoundHandler((_request, reply) => sendFailure(reply, "notFound", "no such operation"));
  app.addHook("onSend", async (_request, reply) => {
    reply.header("cache-control", "no-store").header("x-content-type-options", "nosniff");
  });
  app.get("/livez", () => ({ status: "ok" }));
  app.get("/readyz", () => ({ status: "ok" }));
  app.register((scope, _options, done) => {
    scope.addHook("onRequest", admission(deps));
    for (const endpoint of endpoints(routes, deps)) scope.route(endpoint);
    done();
  });
  return app;
}

/** Checks the key and the quota before the body is read. */
function admission(deps: ServerDeps) {
  const rateLimit = deps.quota === undefined ? undefined : new RateLimit(deps.quota, deps.clock);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const key = request.headers[API_KEY_HEADER.toLowerCase()];
    if (!isValidKey(deps.apiKeys, key)) return sendFailure(reply, ...refusalAt(request.routeOptions.url, key));
    const waitMs = rateLimit?.take(key) ?? 0;
    if (waitMs === 0) return undefined;
    reply.header("retry-after", String(Math.ceil(waitMs / 1000)));
    return sendFailure(reply, "rateLimited");
  };
}

const saysMissingKey = new Set<string | undefined>(
  Object.values<Route>(routes).flatMap((route) => (route.saysMissingKey === true ? [route.path] : [])),
);

function refusalAt(path: string | undefined, key: unknown): ReturnType<typeof refusalOf> {
  return saysMissingKey.has(path) ? ["missingApiKey"] : refusalOf(key);
}

/** Errors that the framework throws before a handler runs, by their codes. Any other error is an internal bug. */
const frameworkFailures: Readonly<Record<string, readonly [FailureName, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ["bodyTooLarge", `the body is larger than ${BODY_LIMIT_BYTES} bytes`],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["invalidRequest", "Content-Type must be application/json"],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["invalidRequest", "Content-Length does not match the body"],
};

/**
 * A slow upload is the client's fault. Only upstream simulations answer 504. Source:
 * docs/decisions/0001-open-points.md, "No node answers a classification".
 */
function answerTimeout(request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  if (!request.raw.complete) {
    reply.header("connection", "close");
    return sendFailure(reply, "invalidRequest", "the body did not arrive in time");
  }
  log.error("a request took too long", { url: request.routeOptions.url });
  return sendFailure(reply, "internal");
}

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  if (error.code === "FST_ERR_HANDLER_TIMEOUT") return answerTimeout(request, reply, log);
  const known = frameworkFailures[error.code];
  if (known !== undefined) return sendFailure(reply, known[0], known[1]);
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return sendFailure(reply, "invalidRequest", "the request is malformed");
  }
  log.error("a request failed", { url: request.routeOptions.url, error: toError(error) });
  return sendFailure(reply, "internal");
}

export function sendFailure(reply: FastifyReply, name: FailureName, detail?: string): FastifyReply {
  return reply.code(failures[name].http).send(failureBody(name, detail));
}

const malformedBody = JSON.stringify(failureBody("invalidRequest", "the request is not valid HTTP"));
const malformedHttp = [
  "HTTP/1.1 400 Bad Request",
  "Content-Type: application/json",
  `Content-Length: ${malformedBody.length}`,
  "Connection: close",
  "",
  malformedBody,
].join("\r\n");
