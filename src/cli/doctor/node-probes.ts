import { openRpcEndpoint, type RpcEndpointOptions, resultOf } from "../../adapters/http/client/json-rpc-endpoint.ts";
import type { NodeSetting } from "../../adapters/http/connection/node-url.ts";
import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";
import { openSolanaEndpoints } from "../../adapters/solana/node/endpoints.ts";
import { field } from "../../adapters/tron/json-fields.ts";
import { quantity } from "../../adapters/viem/answer-values.ts";
import { isTronGenesisId, SOLANA_MAIN, solanaCluster, TRON_MAIN, tronNetwork } from "../../chains/genesis.ts";
import type { Clock } from "../../kernel/clock.ts";
import { UnavailableError } from "../../worker/answers/service-errors.ts";
import type { NodesConfig } from "../config/config.ts";
import { evmUrlsOf, solanaUrlsOf } from "../config/node-urls.ts";
import { openTronClients } from "../wiring/open-tron.ts";

export interface CheckNodesDeps {
  readonly clock: Pick<Clock, "now" | "ticks">;
  readonly lookup: RpcEndpointOptions["lookup"];
}

/** The query for the network of one node. */
export interface NodeProbe {
  readonly setting: NodeSetting;
  /** The host, and the position of the node in its setting; never its URL, which may hold a key. */
  readonly name: string;
  /** The network that the node reports: a chain id, or an identification of its first block. @throws {AppError} */
  readonly ask: (signal: AbortSignal) => Promise<string>;
  /** The result of the check. `first` is the network of the first node of the setting that answered. */
  readonly judge: (told: string, first: string) => ProbeResult;
  readonly close: () => Promise<void>;
}

export type ProbeResult = Pick<CheckedItem, "ok" | "detail" | "remedy">;

/** The probes of the nodes of SOLANA_RPC_URL. @throws {ConfigInvalidError} */
export async function solanaProbes(
  config: NodesConfig,
  { clock, lookup }: CheckNodesDeps,
): Promise<readonly NodeProbe[]> {
  const options = { clock, lookup, timeoutMs: config.SOLANA_RPC_TIMEOUT };
  return openSolanaEndpoints(await solanaUrlsOf(config), options).map(({ name, ask, close }) => ({
    setting: "SOLANA_RPC_URL",
    name,
    async ask(signal) {
      const [answer] = await ask([{ method: "getGenesisHash", params: [] }], signal);
      const hash = resultOf(answer);
      if (typeof hash !== "string") throw new UnavailableError("its answer has no genesis hash");
      return hash;
    },
    judge: (hash, first) => judgeNetwork(solanaCluster(hash), SOLANA_MAIN, hash === first),
    close,
  }));
}

/** The probes of the nodes of TRON_RPC_URL. @throws {ConfigInvalidError} */
export async function tronProbes(config: NodesConfig): Promise<readonly NodeProbe[]> {
  const { clients } = await openTronClients(config);
  return clients.map((client, i) => ({
    setting: "TRON_RPC_URL",
    name: `${client.name} (${i + 1})`,
    async ask(signal) {
      const id = field(await client.post("/wallet/getblockbynum", { num: 0 }, signal), "blockID");
      if (typeof id !== "string" || !isTronGenesisId(id)) throw new UnavailableError("its answer has no first block");
      return id;
    },
    judge: (id, first) => judgeNetwork(tronNetwork(id), TRON_MAIN, id === first),
    close: () => client.close(),
  }));
}

/** The probes of the endpoints of EVM_RPC_URLS. @throws {ConfigInvalidError} */
export async function evmProbes(config: NodesConfig, { clock, lookup }: CheckNodesDeps): Promise<readonly NodeProbe[]> {
  const setting = "EVM_RPC_URLS";
  const options = { setting, clock, lookup, concurrency: 1, timeoutMs: config.EVM_RPC_TIMEOUT } as const;
  return [...(await evmUrlsOf(config))].flatMap(([chainId, urls]) =>
    urls.map((url, i): NodeProbe => {
      const name = `${new URL(url.reveal()).host} (chain ${chainId}, ${i + 1})`;
      const { ask, close } = openRpcEndpoint({ ...options, url, name });
      return {
        setting,
        name,
        async ask(signal) {
          const [answer] = await ask([{ method: "eth_chainId", params: [] }], signal);
          return quantity(resultOf(answer)).toString();
        },
        judge(told) {
          if (told === chainId) return { ok: true, detail: `is of chain ${chainId}`, remedy: "" };
          return { ok: false, detail: `is of chain ${told}`, remedy: `name it under that chain in ${setting}` };
        },
        close,
      };
    }),
  );
}

/** A test network may be intended or a mistake. Nodes of two networks are always a mistake. */
function judgeNetwork(network: string | undefined, main: string, isAsFirst: boolean): ProbeResult {
  const detail = network === undefined ? "is of a network that Weir does not know" : `is of ${network}`;
  if (!isAsFirst)
    return { ok: false, detail: `${detail}, and the first is of another`, remedy: "name nodes of one network" };
  if (network === main) return { ok: true, detail, remedy: "" };
  return { ok: "warn", detail, remedy: `see that it is meant, and not ${main}` };
}
