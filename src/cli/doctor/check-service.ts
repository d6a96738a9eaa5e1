import { lookup } from "node:dns";
import { ServiceClient } from "../../adapters/http/service/service-client.ts";
import { serviceUrl } from "../../adapters/http/service/service-url.ts";
import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";
import { systemClock } from "../../kernel/clock.ts";
import { AppError, type ErrorCode } from "../../kernel/errors.ts";
import { isUnsent } from "../../worker/answers/service-errors.ts";
import { scaledService } from "../../worker/answers/service-scales.ts";
import { HEALTH_PROBE } from "../../worker/rate-limit/gate/health-probe.ts";
import { minTimeMs } from "../../worker/rate-limit/sharing/quota.ts";
import { putQuestion, type QuestionDeps } from "../adapter-check/put-question.ts";
import type { Environment, ScreeningConfig, ServiceClientConfig } from "../config/config.ts";
import { scalesOf } from "../service-connection/open-dialect.ts";
import { INTERFACE } from "../service-connection/service-client-env.ts";
import { reachNamedService } from "../service-connection/service-connection.ts";
import { openPolicy } from "../wiring/open-policy.ts";
import { checkOperations, type StatingFile, UNSENT_REMEDY } from "./check-operations.ts";

const check = "service";

type Config = ServiceClientConfig & Pick<ScreeningConfig, "SERVICE_LEVELS" | "SERVICE_TAXES" | "POLICY_FILE">;

/**
 * Checks the service at SERVICE_URL. It sends the health requests, and one question for each operation, with the key,
 * by the requests and readers of the worker. It compares the clocks by the answers. Without an answer to the first
 * question, no other question is sent. Without a URL there is nothing to check.
 */
export async function checkService(
  config: Config,
  env: Environment,
  signal: AbortSignal,
): Promise<readonly CheckedItem[]> {
  const { SERVICE_URL: url } = config;
  if (url === undefined) return [{ check, ok: true, detail: "skipped: SERVICE_URL is not set", remedy: "" }];
  const clocks: CheckedItem[] = [];
  const onDate = (date: number) => {
    if (clocks.length === 0) clocks.push(compareClocks(systemClock.now() - date));
  };
  const asked = await ask(url, config, env, signal, onDate);
  return [...asked, ...clocks];
}

/** Headers have whole seconds, and an answer travels. Chosen: a deadline of 30 s is still kept well enough. */
const MAX_SKEW_MS = 5_000;

/** @param aheadMs lead of this machine's clock over the service's. */
export function compareClocks(aheadMs: number): CheckedItem {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const off =
    seconds === 0 ? "agrees with the service's" : `${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} the service's`;
  if (Math.abs(aheadMs) <= MAX_SKEW_MS) return { check: "clock", ok: true, detail: off, remedy: "" };
  const remedy = "see to the time service of both machines: deadlines, tickets and S3 signatures go by the clock";
  return { check: "clock", ok: "warn", detail: off, remedy };
}

async function ask(
  url: string,
  config: Config,
  env: Environment,
  signal: AbortSignal,
  onDate: (date: number) => void,
): Promise<readonly CheckedItem[]> {
  const { SERVICE_ALLOW_HTTP, SERVICE_TIMEOUT_MS, SERVICE_QUOTA: quota } = config;
  const file = fileOf(config);
  try {
    const baseUrl = serviceUrl(url, { allowHttp: SERVICE_ALLOW_HTTP });
    const { key, connection, dialect, translation } = await reachNamedService(baseUrl, config, env);
    const scales = scalesOf(dialect, config);
    const { choice } = await openPolicy(config.POLICY_FILE);
    const client = new ServiceClient({
      baseUrl,
      apiKey: () => key.current(),
      clock: systemClock,
      lookup,
      concurrency: 1,
      timeoutMs: SERVICE_TIMEOUT_MS,
      onAnswer: () => {},
      onDate,
      connection,
      dialect: dialect.dialect,
      translation,
    });
    try {
      const asking = {
        service: scaledService(client, scales, translation !== undefined),
        table: choice(undefined).table,
      };
      const answers = await askFirst({ ...asking, signal }, file);
      const pace = { gapMs: quota === undefined ? 0 : minTimeMs(quota), clock: systemClock };
      return [answers, ...(await checkOperations(asking, { lacks: dialect.reach.lacks, file, ...pace }, signal))];
    } finally {
      await client.close();
    }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    // A service that requests a pause is reachable, and accepts the key.
    if (thrown.code === "RATE_LIMITED")
      return [{ check, ok: "warn", detail: thrown.message, remedy: "set SERVICE_QUOTA" }];
    const isPath = file !== undefined && thrown.context["status"] === 404;
    const usual = isPath ? `see SERVICE_URL, and ${pathIn(file)}` : (remedies[thrown.code] ?? "");
    const isClosed = url.startsWith("https:") && /other side closed|before secure TLS/.test(thrown.message);
    const closed = config.SERVICE_TLS_CERT_FILE === undefined ? MUTUAL : SHOWN;
    return [{ check, ok: false, detail: thrown.message, remedy: isClosed ? closed : usual }];
  }
}

/** The file that describes the service's requests. */
function fileOf({ SERVICE_ADAPTER: adapter, SERVICE_DIALECT: dialect }: Config): StatingFile | undefined {
  if (adapter !== undefined) return { setting: "SERVICE_ADAPTER", name: adapter };
  return dialect === INTERFACE ? undefined : { setting: "SERVICE_DIALECT", name: dialect };
}

function pathIn({ setting, name }: StatingFile): string {
  return setting === "SERVICE_ADAPTER"
    ? `the path that address-poisoning asks in ${name}`
    : `paths.address-poisoning in ${name}`;
}

/** The question by which a worker tests whether the service is up. @throws the error of the question. */
async function askFirst(asking: QuestionDeps, file: StatingFile | undefined): Promise<CheckedItem> {
  const { chain_id: chain, address } = HEALTH_PROBE;
  const operation = "address-poisoning";
  const [outcome] = await putQuestion({ name: operation, operation, question: { chain, address } }, asking);
  const error = outcome?.error;
  if (error !== undefined && isUnsent(error))
    return { check, ok: "warn", detail: error.message, remedy: UNSENT_REMEDY };
  // A service without data about the address has answered.
  if (error !== undefined && error.code !== "ITEM_FAILED") throw error;
  const how = file === undefined ? "" : `, asked as ${file.name} says`;
  return { check, ok: true, detail: `takes the key and answers a question${how}`, remedy: "" };
}

/** TLS 1.3 reports a missing certificate after the handshake, and undici only sees the end of the connection. */
const MUTUAL =
  "see that the service runs; one that wants a client certificate closes the connection: set SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE";

const SHOWN =
  "see that the service runs; one that refuses a client certificate closes the connection: see that the certificate in SERVICE_TLS_CERT_FILE has not expired, and that the service accepts its authority";

/** The message of a wrong configuration contains the remedy. */
const remedies: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED: "check SERVICE_API_KEY or SERVICE_API_KEY_FILE",
  UNAVAILABLE: "see that the service runs and that SERVICE_URL is its base",
  ANSWER_INVALID: "see that SERVICE_URL is the base of the service, and compare its answers with openapi.json",
  REJECTED: "compare the service with openapi.json",
  CHAIN_UNSUPPORTED: "see that the service knows Ethereum",
};
