/** Classification of every form on a real chain: anvil, with the contracts of test/fixtures/evm/forms.sol. */
import { lookup } from "node:dns";
import type { ServerResponse } from "node:http";
import { encodeFunctionData, parseAbi } from "viem";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openEvmNodes } from "../../src/adapters/viem/open-evm-nodes.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { quietLog } from "../../src/kernel/log.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { classifierOver } from "../../src/service/address-classify/classify.ts";
import { slots } from "../../src/service/address-classify/proxy.ts";
import type { Verifier } from "../../src/service/evm/verifier.ts";
import { type Anvil, startAnvil } from "../servers/anvil.ts";
import { startProxy } from "../servers/fault-proxy.ts";
import { answering, listen, sendJson } from "../support/http-server.ts";
import { SERVICE_KEY, served } from "../support/served.ts";

const CHAIN = "31337";
let anvil: Anvil;
/** Addresses of the deployed contracts, by the tests' names. */
const at: Record<string, string> = {};

const account = (digit: string) => `0x${digit.repeat(40)}`;
const safe = parseAbi(["function setup(address[] owners, uint256 threshold)"]);

beforeAll(async () => {
  anvil = await startAnvil();
  for (const form of ["Token", "Collectible", "Items", "BurningToken", "Loud", "AccountV6", "AccountV7", "EntryPoint"])
    at[form] = await anvil.deploy(form);
  for (const form of ["SafeSingleton", "UniversalRouter", "Batcher", "Sweeper", "Plain", "YesToAll", "Upgradeable"])
    at[form] = await anvil.deploy(form);
  const { Token = "", Collectible = "", Upgradeable = "", SafeSingleton = "" } = at;
  at["Vault"] = await anvil.deploy("Vault", "address", [Token]);
  for (const form of ["Pair", "Pool", "RouterV2", "RouterV3"])
    at[form] = await anvil.deploy(form, "address, address", [Token, Collectible]);
  at["SafeProxy"] = await anvil.deploy("SafeProxy", "address", [SafeSingleton]);
  const setup = encodeFunctionData({ abi: safe, functionName: "setup", args: [[account("a") as "0x"], 1n] });
  await anvil.send(at["SafeProxy"], setup);
  const totalSupply = "0x18160ddd";
  at["ERC1967Proxy"] = await anvil.deploy("ERC1967Proxy", "address, bytes", [Upgradeable, totalSupply]);
  const transparent = [Token, account("a"), totalSupply];
  at["Transparent"] = await anvil.deploy("TransparentUpgradeableProxy", "address, address, bytes", transparent);
  at["Beacon"] = await anvil.deploy("UpgradeableBeacon", "address, address", [Token, account("a")]);
  at["BeaconProxy"] = await anvil.deploy("BeaconProxy", "address, bytes", [at["Beacon"], totalSupply]);
  at["Eip1822"] = await anvil.deploy("SlotProxy", "bytes32, address", [slots.proxiable, Token]);
  at["ZeppelinOS"] = await anvil.deploy("SlotProxy", "bytes32, address", [slots.zeppelinos, Token]);
  at["OwnSlot"] = await anvil.deploy("SlotProxy", "bytes32, address", [`0x${"77".repeat(32)}`, Token]);
  at["ToNothing"] = await anvil.deploy("SlotProxy", "bytes32, address", [slots.implementation, account("b")]);
  at["Eip897"] = await anvil.deploy("Eip897", "address", [Token]);
  at["Diamond"] = await anvil.deploy("Diamond", "address[]", [[Token]]);
  at["Impostor"] = await anvil.deploy("Impostor", "address", [Token]);
  at["Clone"] = account("c");
  const clone = `0x363d3d373d3d3d363d73${Token.slice(2)}5af43d82803e903d91602b57fd5bf3`;
  await anvil.rpc("anvil_setCode", at["Clone"], clone);
  at["CloneWithData"] = account("d");
  await anvil.rpc("anvil_setCode", at["CloneWithData"], `${clone}${"ab".repeat(64)}`);
  at["Push0Clone"] = account("e");
  await anvil.rpc(
    "anvil_setCode",
    at["Push0Clone"],
    `0x365f5f375f5f365f73${Token.slice(2)}5af43d5f5f3e5f3d91602a57fd5bf3`,
  );
  at["Delegated"] = `0x${"7702".repeat(10)}`;
  await anvil.rpc("anvil_setCode", at["Delegated"], `0xef0100${(at["AccountV7"] ?? "").slice(2)}`);
  [at["Sender"] = ""] = Object(await anvil.rpc("eth_accounts"));
  at["Receiver"] = account("9");
  await anvil.send(at["Receiver"], "0x", 1n);
  at["Nobody"] = account("8");
  at["Ecrecover"] = `0x${"1".padStart(40, "0")}`;
  at["Bls"] = `0x${"11".padStart(40, "0")}`;
  at["P256"] = `0x${"100".padStart(40, "0")}`;
  at["ArbSys"] = `0x${"64".padStart(40, "0")}`;
  await anvil.rpc("anvil_setCode", at["ArbSys"], "0xfe");
});
afterAll(() => anvil.stop());

function classifier(verifier?: Verifier, urls = [anvil.url]) {
  const nodes = openEvmNodes(new Map([[CHAIN, urls.map((url) => new Secret(url))]]), {
    clock: systemClock,
    log: quietLog,
    lookup,
    concurrency: 8,
    timeoutMs: 5_000,
  });
  onTestFinished(() => nodes.close());
  return classifierOver({ nodes, clock: systemClock, ...(verifier === undefined ? {} : { verifier }) });
}

async function classified(name: string, verifier?: Verifier) {
  const answer = await classifier(verifier)({ chain_id: CHAIN, address: at[name] ?? "", strict: false });
  if (!answer.ok || !("data" in answer.body)) throw new Error(JSON.stringify(answer));
  return Object(answer.body.data);
}

/** The expected family, label, number and ERC-20 flag, followed by the proxy type and the implementation. */
type Row = readonly [
  name: string,
  family: string,
  label: string,
  id: number,
  erc20: string,
  ...proxy: readonly string[],
];
const expected: readonly Row[] = [
  ["Sender", "EOA", "EOA", 1, "0"],
  ["Receiver", "EOA", "EOA", 1, "0"],
  ["Delegated", "EOA", "DelegatedEOA", 2, "0", "EIP-7702", "AccountV7"],
  ["Nobody", "Empty", "Empty", 3, "0"],
  ["Ecrecover", "Contract", "Precompile", 4, "0"],
  ["Bls", "Contract", "Precompile", 4, "0"],
  ["P256", "Contract", "Precompile", 4, "0"],
  ["ArbSys", "Contract", "Precompile", 4, "0"],
  ["Plain", "Contract", "Unverified", 11, "0"],
  ["Sweeper", "Contract", "Unverified", 11, "0"],
  ["YesToAll", "Contract", "Unverified", 11, "0"],
  ["EntryPoint", "Contract", "Unverified", 11, "0"],
  ["Impostor", "Contract", "Unverified", 11, "0"],
  ["Beacon", "Contract", "Unverified", 11, "0"],
  ["OwnSlot", "Contract", "Unverified", 11, "0"],
  ["ToNothing", "Contract", "Unverified", 11, "0", "EIP-1967", account("b")],
  ["Token", "Contract", "ERC20", 20, "1"],
  ["BurningToken", "Contract", "ERC20", 20, "1"],
  ["Loud", "Contract", "ERC20", 20, "1"],
  ["Upgradeable", "Contract", "ERC20", 20, "1"],
  ["Collectible", "Contract", "ERC721", 21, "0"],
  ["Items", "Contract", "ERC1155", 22, "0"],
  ["Vault", "Contract", "ERC4626", 23, "1"],
  ["AccountV6", "Contract", "SmartAccount", 30, "0"],
  ["AccountV7", "Contract", "SmartAccount", 30, "0"],
  ["SafeProxy", "Contract", "Safe", 31, "0", "Safe", "SafeSingleton"],
  ["Pair", "Contract", "V2Pair", 40, "1"],
  ["Pool", "Contract", "V3Pool", 41, "0"],
  ["RouterV2", "Contract", "Router", 42, "0"],
  ["RouterV3", "Contract", "Router", 42, "0"],
  ["UniversalRouter", "Contract", "Router", 42, "0"],
  ["Batcher", "Contract", "Multicall", 43, "0"],
  ["Clone", "Contract", "ERC20", 20, "1", "EIP-1167", "Token"],
  ["CloneWithData", "Contract", "ERC20", 20, "1", "EIP-1167", "Token"],
  ["Push0Clone", "Contract", "ERC20", 20, "1", "EIP-1167", "Token"],
  ["ERC1967Proxy", "Contract", "ERC20", 20, "1", "EIP-1967", "Upgradeable"],
  ["Transparent", "Contract", "ERC20", 20, "1", "Transparent", "Token"],
  ["BeaconProxy", "Contract", "ERC20", 20, "1", "EIP-1967 beacon", "Token"],
  ["Eip1822", "Contract", "ERC20", 20, "1", "EIP-1822", "Token"],
  ["ZeppelinOS", "Contract", "ERC20", 20, "1", "ZeppelinOS", "Token"],
  ["Eip897", "Contract", "ERC20", 20, "1", "EIP-897", "Token"],
  ["Diamond", "Contract", "ERC20", 20, "1", "EIP-2535", ""],
];

const withoutCode = new Set(["Sender", "Receiver", "Delegated", "Nobody", "Ecrecover", "Bls", "P256"]);

const cases = expected.map((row) => ({ name: row[0], label: row[2], row }));

test.each(cases)("$name is of the kind $label", async ({ row }) => {
  const [name, family, label, id, isErc20, type = "", implementation = ""] = row;
  const data = await classified(name);

  expect(data).toMatchObject({
    address: `${CHAIN}:${at[name]}`,
    address_type: family,
    classification: label,
    classification_id: id,
    is_erc20: isErc20,
    status: 1,
    details: { is_verified: false, proxy_impl_type: type, proxy_impl_address: at[implementation] ?? implementation },
    verify_status: withoutCode.has(name) ? "not_a_contract" : "unknown",
  });
});

describe("a contract without a known form", () => {
  /** A register that knows some of the contracts. */
  const register = (...verified: readonly string[]): Verifier => ({
    verificationOf: async (_chain, address) =>
      verified.some((name) => at[name] === address) ? "verified" : "unverified",
  });

  test("a contract without a known form is named when its source is public", async () => {
    expect(await classified("Plain", register("Plain"))).toMatchObject({
      classification: "Contract",
      classification_id: 10,
      details: { is_verified: true },
      verify_status: "verified",
    });
    expect(await classified("Plain", register())).toMatchObject({
      classification: "Unverified",
      details: { is_verified: false },
      verify_status: "unverified",
    });
  });

  test("a proxy is verified only if both its own source and that of its implementation are public", async () => {
    const statusWith = async (...verified: readonly string[]) =>
      (await classified("ERC1967Proxy", register(...verified))).verify_status;

    expect(await statusWith("ERC1967Proxy", "Upgradeable")).toBe("verified");
    expect(await statusWith("Upgradeable")).toBe("unverified");
    expect(await statusWith("ERC1967Proxy")).toBe("unverified");
    expect((await classified("Clone", register("Token"))).verify_status).toBe("verified");
  });
});

/** Forwards to the chain, and counts the calls in each HTTP request. */
async function counted(): Promise<{ readonly url: string; readonly batches: readonly number[] }> {
  const batches: number[] = [];
  const forward = async (body: string, response: ServerResponse) => {
    const headers = { "content-type": "application/json" };
    batches.push([JSON.parse(body)].flat().length);
    const answer = await fetch(anvil.url, { method: "POST", headers, body });
    response.writeHead(200, headers).end(await answer.text());
  };
  return { url: await listen(answering(({ body }, response) => void forward(body, response))), batches };
}

/** The HTTP requests to a node: the chain, newest block and gas price, followed by the reads, followed by the calls. */
test.each([
  ["Sender", []],
  ["Delegated", []],
  ["Plain", [1]],
  ["Token", [4]],
  ["Clone", [1, 4]],
  ["ERC1967Proxy", [1, 4]],
  ["BeaconProxy", [1, 1, 4]],
  ["Eip897", [4, 1, 3]],
])("%s takes these rounds to a node", async (name, asked) => {
  const { url, batches } = await counted();

  await classifier(undefined, [url])({ chain_id: CHAIN, address: at[name] ?? "", strict: false });

  expect(batches).toEqual([3, 9, ...asked]);
});

test("a node of another chain gives no classification", async () => {
  const other = await startAnvil(1);
  onTestFinished(() => other.stop());

  await expect(
    classifier(undefined, [other.url])({ chain_id: CHAIN, address: at["Token"] ?? "", strict: false }),
  ).rejects.toThrow("it is of chain 1");
});

test("a node that dies is replaced by the next", async () => {
  const { hostname: host, port } = new URL(anvil.url);
  const proxy = await startProxy({ target: { host, port: Number(port) } });
  onTestFinished(() => proxy.close());
  const ask = classifier(undefined, [`http://${proxy.host}:${proxy.port}`, anvil.url]);
  const labelOf = async (name: string) => {
    const answer = await ask({ chain_id: CHAIN, address: at[name] ?? "", strict: false });
    return answer.ok && "data" in answer.body ? Object(answer.body.data).classification : answer;
  };
  expect([await labelOf("Vault"), proxy.connections() > 0]).toEqual(["ERC4626", true]);

  await proxy.set({ mode: "refuse" });
  proxy.cut();

  expect(await labelOf("Pair")).toBe("V2Pair");
});

describe("weir serve with EVM_RPC_URLS", () => {
  test("GET and POST have equal answers, and chains without a node are refused", async () => {
    const register = await listen(
      answering(({ url }, response) => sendJson(response, 200, { match: "match", address: url.split("/").at(-1) })),
    );
    const { SERVICE_URL: url } = await served({
      EVM_RPC_URLS: JSON.stringify({ [CHAIN]: anvil.url }),
      EVM_VERIFIER_URL: register,
    });
    const headers = { "x-api-key": SERVICE_KEY, "content-type": "application/json" };
    const path = `${url}/v2/svc/address-classify`;
    const get = async (chainId: string, strict: boolean) => {
      const query = new URLSearchParams({ chain_id: chainId, address: at["Clone"] ?? "", strict: String(strict) });
      const response = await fetch(`${path}?${query}`, { headers });
      return [response.status, await response.json()];
    };
    const data = {
      address: `${CHAIN}:${at["Clone"]}`,
      address_type: "Contract",
      classification: "ERC20",
      classification_id: 20,
      details: { is_verified: true, proxy_impl_address: at["Token"], proxy_impl_type: "EIP-1167" },
      is_erc20: "1",
      status: 1,
      verify_status: "verified",
    };

    expect(await get(CHAIN, false)).toMatchObject([200, { code: "0", status: "ok", data }]);
    expect(await get("1", false)).toEqual([
      400,
      { code: "-1", status: "unsupported chain", detail: "unsupported chainId: 1" },
    ]);
    const body = JSON.stringify({ chain_id: CHAIN, address: at["Clone"] });
    const posted = await fetch(path, { method: "POST", headers, body });
    expect([posted.status, await posted.json()]).toMatchObject([200, { status: "ok", data }]);
  });

  test("the answer is notok when the node is slow and strict is set, and 500 when the node is gone", async () => {
    const { hostname: host, port } = new URL(anvil.url);
    const proxy = await startProxy({ target: { host, port: Number(port) } });
    onTestFinished(() => proxy.close());
    const { SERVICE_URL: url } = await served({
      EVM_RPC_URLS: JSON.stringify({ [CHAIN]: `http://${proxy.host}:${proxy.port}` }),
    });
    const get = async (name: string, strict: boolean) => {
      const query = new URLSearchParams({ chain_id: CHAIN, address: at[name] ?? "", strict: String(strict) });
      const response = await fetch(`${url}/v2/svc/address-classify?${query}`, {
        headers: { "x-api-key": SERVICE_KEY },
      });
      return [response.status, await response.json()];
    };

    await proxy.set({ mode: "blackHole" });
    expect(await get("Vault", true)).toEqual([200, { code: "0", status: "notok" }]);
    await proxy.set({ mode: "refuse" });
    proxy.cut();
    expect(await get("Pair", false)).toEqual([
      500,
      { code: "-2", status: "internal server error", detail: "internal server error" },
    ]);
  });
});
