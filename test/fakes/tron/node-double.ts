import type { RequestListener } from "node:http";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { CanonicalAddress } from "../../../src/chains/address.ts";
import { tronHexOf } from "../../../src/chains/tron/tron-address.ts";
import { exactInteger, isRawNumber, parseExact } from "../../../src/kernel/json.ts";
import { answering, type Received, sendJson } from "../../support/http-server.ts";
import { canonical, Machine, type Run } from "./machine.ts";

type Json = Readonly<Record<string, unknown>>;

/** A permission in the form of a node, with keys of weight 1 by default. */
export function nodePermission(
  threshold: number,
  keys: readonly (readonly [CanonicalAddress, number])[],
  more: Json = {},
) {
  return { threshold, keys: keys.map(([address, weight]) => ({ address: tronHexOf(address), weight })), ...more };
}

/** The operations of a new account's active permission. */
const USUAL = `7fff1fc0033e${"0".repeat(52)}`;

/**
 * The HTTP interface of a TRON node over an EVM. Answers have the form of java-tron's servlets. Values of 0, false or
 * empty are left out, addresses are hex of 21 bytes except in logs, and messages are hex. Source: java-tron 4.7,
 * framework/.../services/http.
 */
export class NodeDouble {
  readonly machine: Machine;
  readonly received: Received[] = [];
  readonly #accounts = new Map<string, Json>();
  readonly #contracts = new Set<string>();
  readonly #assets = new Map<string, Json>();

  private constructor(machine: Machine) {
    this.machine = machine;
  }

  static async start(): Promise<NodeDouble> {
    return new NodeDouble(await Machine.start());
  }

  /** Activates an account. */
  account(address: CanonicalAddress, more: Json & { readonly balance?: bigint } = {}): void {
    const { balance = 0n, ...rest } = more;
    const hex = tronHexOf(address);
    this.#accounts.set(hex, {
      address: hex,
      ...(balance === 0n ? {} : { balance: exactInteger(balance) }),
      create_time: 1_600_000_000_000,
      net_window_size: 28_800_000,
      account_resource: { energy_window_size: 28_800_000 },
      owner_permission: nodePermission(1, [[address, 1]], { permission_name: "owner" }),
      active_permission: [
        nodePermission(1, [[address, 1]], { type: "Active", id: 2, permission_name: "active", operations: USUAL }),
      ],
      ...rest,
    });
  }

  /** Issues a TRC-10. */
  asset(id: number, issuer: CanonicalAddress, name: string, abbr: string): void {
    this.#assets.set(String(id), {
      owner_address: tronHexOf(issuer),
      name: hexOf(name),
      abbr: hexOf(abbr),
      total_supply: 1_000_000,
      trx_num: 1,
      num: 1,
      start_time: 1_600_000_000_000,
      end_time: 1_600_000_100_000,
      description: hexOf("a sample"),
      url: hexOf("sample.example"),
      precision: 6,
      id: String(id),
    });
  }

  async deploy(name: string, by: CanonicalAddress, ...words: readonly string[]): Promise<CanonicalAddress> {
    const address = await this.machine.deploy(name, by, ...words);
    const hex = tronHexOf(address);
    this.#contracts.add(hex);
    this.#accounts.set(hex, { address: hex, type: "Contract", create_time: 1_600_000_000_000 });
    return address;
  }

  /** Answers requests; tronweb requests contracts with GET. */
  get listener(): RequestListener {
    return answering((request, response) => {
      const url = new URL(request.url, "http://node");
      const asked = request.method === "GET" ? Object.fromEntries(url.searchParams) : parseExact(request.body);
      void this.#answer(url.pathname, asked as Json).then(
        (json) => sendJson(response, 200, json),
        (error: Error) => sendJson(response, 200, { Error: `class java.lang.RuntimeException : ${error.message}` }),
      );
    }, this.received);
  }

  async #answer(path: string, asked: Json): Promise<unknown> {
    if (asked["visible"] === true) throw new Error("the double speaks hex only");
    switch (path) {
      case "/wallet/getaccount":
        return this.#accounts.get(String(asked["address"])) ?? {};
      case "/wallet/getcontract":
        return this.#contracts.has(String(asked["value"])) ? this.#contract(String(asked["value"])) : {};
      case "/wallet/getcontractinfo":
        if (!this.#contracts.has(String(asked["value"]))) throw new Error("null");
        return {
          smart_contract: this.#contract(String(asked["value"])),
          runtimecode: await this.machine.code(canonical(String(asked["value"]))),
          contract_state: { energy_usage: 1, update_cycle: 2 },
        };
      case "/wallet/getassetissuebyid":
        return this.#assets.get(String(asked["value"])) ?? {};
      case "/wallet/triggerconstantcontract":
        return this.#trigger(asked);
      default:
        throw new Error(`no servlet ${path}`);
    }
  }

  #contract(hex: string): Json {
    return { bytecode: "00", name: "Sample", origin_address: hex, abi: {}, contract_address: hex };
  }

  async #trigger(asked: Json): Promise<unknown> {
    const [owner, contract] = [String(asked["owner_address"]), String(asked["contract_address"])];
    if (!this.#contracts.has(contract)) return stopped("CONTRACT_VALIDATE_ERROR", "Smart contract is not exist.");
    const value = longOf(asked["call_value"]);
    if (value > longOf(this.#accounts.get(owner)?.["balance"])) {
      return stopped("CONTRACT_VALIDATE_ERROR", "Validate InternalTransfer error, balance is not sufficient.");
    }
    const run = await this.machine.look(canonical(owner), canonical(contract), calldataOf(asked), value);
    if (run.error === "invalid opcode") {
      return stopped("OTHER_ERROR", `class ${PROGRAM}IllegalOperationException : Invalid operation code: opCode[fe];`);
    }
    if (run.error === "out of gas") {
      return stopped("OTHER_ERROR", `class ${PROGRAM}OutOfTimeException : CPU timeout for 'JUMP' operation executing`);
    }
    return ran(run, asked);
  }
}

const PROGRAM = "org.tron.core.vm.program.Program$";

function stopped(code: string, message: string): Json {
  return { result: { code, message: hexOf(message) } };
}

function ran({ error, returned, gasUsed, logs, payments }: Run, asked: Json): Json {
  const isReverted = error !== undefined;
  return {
    result: { result: true, ...(isReverted ? { message: hexOf("REVERT opcode executed") } : {}) },
    energy_used: gasUsed,
    constant_result: [returned],
    ...(logs.length === 0 ? {} : { logs }),
    ...(payments.length === 0 ? {} : { internal_transactions: payments.map(internal) }),
    transaction: {
      ret: [isReverted ? { ret: "FAILED" } : {}],
      visible: false,
      txID: "00".repeat(32),
      raw_data: { contract: [{ type: "TriggerSmartContract", parameter: { value: asked } }] },
      raw_data_hex: "00",
    },
  };
}

function internal({ from, to, value }: Run["payments"][number]): Json {
  const callValueInfo = [{ callValue: exactInteger(value) }];
  return {
    hash: "00".repeat(32),
    caller_address: `41${from}`,
    transferTo_address: `41${to}`,
    callValueInfo,
    note: "63616c6c",
  };
}

/** The calldata of a function's name and its arguments, or `data` where no name is given. */
function calldataOf({ function_selector: name, parameter = "", data = "" }: Json): string {
  if (typeof name !== "string" || name === "") return String(data);
  return bytesToHex(keccak_256(utf8ToBytes(name))).slice(0, 8) + String(parameter);
}

function hexOf(text: string): string {
  return Buffer.from(text).toString("hex");
}

function longOf(json: unknown): bigint {
  return BigInt(isRawNumber(json) ? json.rawJSON : String(json ?? 0));
}
