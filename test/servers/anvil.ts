import { readFileSync } from "node:fs";
import path from "node:path";
import { concatHex, encodeAbiParameters, type Hex, parseAbiParameters } from "viem";
import { startAnvil as spawnAnvil } from "../../src/adapters/anvil/start-anvil.ts";
import { systemClock } from "../../src/kernel/clock.ts";

/** A local EVM chain for this process alone, by anvil on a free loopback port. */
export interface Anvil {
  readonly url: string;
  rpc(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /**
   * Deploys a form of test/fixtures/evm. `types` and `values` are the arguments of its constructor. @returns its
   * address.
   */
  deploy(form: string, types?: string, values?: readonly unknown[]): Promise<string>;
  /** Sends a transaction from a funded account, and waits until it is in a block. */
  send(to: string, data: string, value?: bigint): Promise<void>;
  stop(): Promise<void>;
}

const root = path.resolve(import.meta.dirname, "..", "..");
const codesIn = (file: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(path.join(root, "test", "fixtures", "evm", file), "utf8")).codes;
const forms = { ...codesIn("forms.json"), ...codesIn("trading.json") };

/**
 * Starts anvil. Every transaction makes its own block, as long as transactions are sent one after the other. Anvil ends
 * with this process, however this process ends.
 */
export async function startAnvil(chainId = 31_337): Promise<Anvil> {
  const anvil = await spawnAnvil({ chainId: String(chainId), clock: systemClock });
  if (!anvil.ok) throw new Error(anvil.detail);
  const { url, stop } = anvil.value;

  const rpc = async (method: string, ...params: readonly unknown[]): Promise<unknown> => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const { result, error } = Object(await response.json());
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  };
  const [from] = Object(await rpc("eth_accounts"));
  const transact = async (transaction: object) => {
    const hash = await rpc("eth_sendTransaction", { from, gas: "0x989680", ...transaction });
    await rpc("evm_mine");
    const receipt = await rpc("eth_getTransactionReceipt", hash);
    const { status, contractAddress } = Object(receipt);
    if (status !== "0x1") throw new Error("the transaction failed");
    return String(contractAddress);
  };

  return {
    url,
    rpc,
    deploy(form, types, values = []) {
      const code = `0x${forms[form] ?? ""}` as Hex;
      const args = types === undefined ? "0x" : encodeAbiParameters(parseAbiParameters(types), values as never);
      return transact({ data: concatHex([code, args]) });
    },
    async send(to, data, value = 0n) {
      await transact({ to, data, value: `0x${value.toString(16)}` });
    },
    stop,
  };
}
