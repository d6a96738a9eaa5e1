import type { NodeSetting } from "../../adapters/http/connection/node-url.ts";
import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";
import { AppError, type ErrorCode } from "../../kernel/errors.ts";
import type { NodesConfig } from "../config/config.ts";
import {
  type CheckNodesDeps,
  evmProbes,
  type NodeProbe,
  type ProbeResult,
  solanaProbes,
  tronProbes,
} from "./node-probes.ts";

/**
 * Queries the network of every configured node, all at once, with a line each. The line shows the time of the first
 * answer, including the connection. There are no lines without configured nodes.
 */
export async function checkNodes(
  config: NodesConfig,
  deps: CheckNodesDeps,
  signal: AbortSignal,
): Promise<readonly CheckedItem[]> {
  const families = [
    { setting: "SOLANA_RPC_URL", open: () => solanaProbes(config, deps) },
    { setting: "TRON_RPC_URL", open: () => tronProbes(config) },
    { setting: "EVM_RPC_URLS", open: () => evmProbes(config, deps) },
  ] as const;
  const checks = await Promise.all(
    families.map(async ({ setting, open }) => {
      try {
        return await checkAll(await open(), deps.clock, signal);
      } catch (thrown) {
        // The message of a wrong setting contains the remedy.
        return [{ check: `nodes of ${setting}`, ok: false, detail: messageOf(thrown), remedy: "" } as const];
      }
    }),
  );
  return checks.flat();
}

async function checkAll(probes: readonly NodeProbe[], clock: CheckNodesDeps["clock"], signal: AbortSignal) {
  try {
    const answers = await Promise.all(probes.map((probe) => answerOf(probe, clock, signal)));
    const first = answers.find((answer) => "told" in answer);
    return answers.map((answer): CheckedItem => {
      const { setting, name, judge } = answer.probe;
      const check = `node ${name} of ${setting}`;
      if (!("told" in answer)) return { check, ...failed(setting, answer.error) };
      const { ok, detail, remedy } = judge(answer.told, first?.told ?? answer.told);
      return { check, ok, detail: `${detail}, answered in ${Math.round(answer.ms)} ms`, remedy };
    });
  } finally {
    await Promise.all(probes.map(({ close }) => close()));
  }
}

type Answer =
  | { readonly probe: NodeProbe; readonly told: string; readonly ms: number }
  | { readonly probe: NodeProbe; readonly error: AppError };

async function answerOf(probe: NodeProbe, clock: CheckNodesDeps["clock"], signal: AbortSignal): Promise<Answer> {
  const askedAt = clock.ticks();
  try {
    const told = await probe.ask(signal);
    return { probe, told, ms: clock.ticks() - askedAt };
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof AppError)) throw thrown;
    return { probe, error: thrown };
  }
}

function failed(setting: NodeSetting, { code, message }: AppError): ProbeResult {
  // A node that requests a pause is reachable.
  if (code === "RATE_LIMITED") return { ok: "warn", detail: message, remedy: "see what its operator lets the key ask" };
  return { ok: false, detail: message, remedy: remediesFor(setting)[code] ?? "" };
}

function remediesFor(setting: NodeSetting): Partial<Record<ErrorCode, string>> {
  const key = setting === "TRON_RPC_URL" ? "TRON_RPC_API_KEY or TRON_RPC_API_KEY_FILE" : `the key in ${setting}`;
  return { UNAUTHORIZED: `check ${key}`, UNAVAILABLE: `see that the node runs and that ${setting} is right` };
}

function messageOf(thrown: unknown): string {
  if (thrown instanceof AppError) return thrown.message;
  throw thrown;
}
