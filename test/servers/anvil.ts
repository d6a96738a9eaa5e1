import { readFileSync } from "node:fs";
import path from "node:path";
import { concatHex, encodeAbiParameters, type Hex, parseAbiParameters } from "viem";
import { eventually } from "../support/eventually.ts";
import { spawnGuarded } from "./guarded-child.ts";

/** An EVM chain of this process alone, by anvil on a free loopback port. */
export interface Anvil {
  readonly url: string;
  rpc(method: string, ...params: readonly unknown[]): Promise<unknown>;
  /** Deploys a form of test/fixtures/evm; `types` and `values` are its constructor's. @returns its address. */
  deploy(form: string, types?: string, values?: readonly unknown[]): Promise<string>;
  /** Sends a transaction from an account with money, and waits until it is in a block. */
  send(to: string, data: string, value?: bigint): Promise<void>;
  stop(): Promise<void>;
}

const root = path.resolve(import.meta.dirname, "..", "..");
const forms: { codes: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(path.join(root, "test", "fixtures", "evm", "forms.json"), "utf8"),
);
const START_MS = 20_000;

/** The binary that the package of this platform holds; Go's names of platforms. */
function binary(): string {
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const os = process.platform === "win32" ? "win32" : process.platform;
  return path.join(root, "node_modules", "@foundry-rs", `anvil-${os}-${arch}`, "bin", "anvil");
}

/** Starts it; every transaction makes a block. It ends with this process, however this one ends. */
export async function startAnvil(chainId = 31_337): Promise<Anvil> {
  const args = ["--port", "0", "--host", "127.0.0.1", "--chain-id", String(chainId)];
  const child = spawnGuarded(binary(), args, { stdio: ["ignore", "pipe", "ignore"] }, "");
  const listening = Promise.withResolvers<string>();
  let said = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    const address = /Listening on (127\.0\.0\.1:\d+)/.exec(said)?.[1];
    if (address !== undefined) listening.resolve(`http://${address}`);
  });
  child.once("error", listening.reject);
  child.once("exit", (code) => listening.reject(new Error(`anvil ended with status ${code}: ${said}`)));
  const timer = setTimeout(() => listening.reject(new Error(`anvil does not listen: ${said}`)), START_MS);
  const url = await listening.promise.finally(() => clearTimeout(timer));

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
    const receiptOf = () => rpc("eth_getTransactionReceipt", hash);
    const receipt = await eventually(receiptOf, (told) => told !== null, "the transaction is in a block");
    const { status, contractAddress } = Object(receipt);
    if (status !== "0x1") throw new Error("the transaction failed");
    return String(contractAddress);
  };

  return {
    url,
    rpc,
    deploy(form, types, values = []) {
      const code = `0x${forms.codes[form] ?? ""}` as Hex;
      const args = types === undefined ? "0x" : encodeAbiParameters(parseAbiParameters(types), values as never);
      return transact({ data: concatHex([code, args]) });
    },
    async send(to, data, value = 0n) {
      await transact({ to, data, value: `0x${value.toString(16)}` });
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await ended;
    },
  };
}
