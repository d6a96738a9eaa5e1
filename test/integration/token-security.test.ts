/** Token security on a real chain: anvil, with the tokens and pools of test/fixtures/evm/market.sol. */
import { lookup } from "node:dns";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { encodeFunctionData, parseAbi } from "viem";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openThreadAnalyser, type ThreadAnalyser } from "../../src/adapters/evmole/thread-analyser.ts";
import { openEvmNodes } from "../../src/adapters/viem/open-evm-nodes.ts";
import { type TokenSecurityData, TokenSecurityResponse } from "../../src/api/schemas/token-security.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { quietLog } from "../../src/kernel/log.ts";
import { seededRandom } from "../../src/kernel/retry.ts";
import { Secret } from "../../src/kernel/secret.ts";
import { LabelBook } from "../../src/service/labels/label-book.ts";
import { tokenAnalyserOver } from "../../src/service/token-security/analyse-token.ts";
import type { TokenIndex } from "../../src/service/token-security/token-index.ts";
import type { Markets } from "../../src/service/token-security/trade-simulation/market.ts";
import { type Anvil, startAnvil } from "../servers/anvil.ts";
import { startProxy } from "../servers/fault-proxy.ts";
import { eventually } from "../support/eventually.ts";
import { emptyFolder } from "../support/folder.ts";
import { answering, listen } from "../support/http-server.ts";
import { SERVICE_KEY, served } from "../support/served.ts";
import { openMarket, type RangeTrade, type TokenMarket } from "../support/token-market.ts";
import { start } from "../support/weir.ts";

const CHAIN = "31337";
let anvil: Anvil;
let market: TokenMarket;
let thread: ThreadAnalyser;

beforeAll(async () => {
  anvil = await startAnvil();
  market = await openMarket(anvil);
  thread = openThreadAnalyser({ timeoutMs: 5_000, memoryMiB: 384, startMs: 30_000, execute: true });
});
afterAll(async () => {
  await thread.close();
  await anvil.stop();
});

/** The operation over one node, which knows no block before the newest. */
function operation(url: string, markets: Markets, index?: TokenIndex) {
  const options = { clock: systemClock, log: quietLog, lookup, concurrency: 8, timeoutMs: 5_000 };
  const nodes = openEvmNodes(new Map([[CHAIN, [new Secret(url)]]]), options);
  onTestFinished(() => nodes.close());
  const analyser = {
    async analyse(code: Uint8Array) {
      const read = await thread.analyse(code);
      return "analysis" in read ? read.analysis : undefined;
    },
  };
  const marketsOf = (chainId: string) => (chainId === CHAIN ? markets : undefined);
  const backend = { nodes, analyser, clock: systemClock, log: quietLog, random: seededRandom(7), marketsOf };
  return tokenAnalyserOver(index === undefined ? backend : { ...backend, index }, () => LabelBook.of([]));
}

async function analysed(address: string, url = anvil.url, markets = market.markets): Promise<TokenSecurityData> {
  const answer = await operation(url, markets)({ chainId: CHAIN, address, wait: true });
  if (!answer.ok || !("data" in answer.body)) throw new Error(JSON.stringify(answer));
  expect(TokenSecurityResponse.safeParse(answer.body).success).toBe(true);
  return Object(answer.body).data;
}

/** The results of trading: honeypot, followed by the taxes of buying, passing on and selling. */
const shown = ({ security_risks: risks, trade_analysis: trade }: TokenSecurityData) => [
  risks.is_honeypot,
  trade["buy_tax"],
  trade.transfer_tax,
  trade.sell_tax,
];

test("a plain token trades freely, and all unknown fields are named", async () => {
  const address = await market.trade("PlainCoin");
  const [owner] = Object(await anvil.rpc("eth_accounts"));

  const { scanned_time, ...data } = await analysed(address);

  expect(data).toEqual({
    address: `${CHAIN}:${address}`,
    address_type: "ERC20",
    overall_risk_level: "No Obvious Risk",
    overall_score: "0",
    basic_info: {
      token_name: "Plain",
      token_symbol: "Plain",
      token_decimals: "18",
      days_deployed: "",
      is_mintable: "0",
      is_in_dex: "1",
      verified: "0",
    },
    privileges: { owner_address: owner, owner_type: "EOA", dev_malicious: "0" },
    security_risks: { is_honeypot: "0", hidden_owner: "0", self_destruct: "0", unlimited_mintable: "0" },
    token_market: {
      holders_count: "",
      owner_token_percent: "50",
      holders_concentration: { top1_eoa_concentration: "", top5_eoa_concentration: "" },
    },
    trade_analysis: { buy_tax: "0", sell_tax: "0", transfer_tax: "0", only_owner_sells: "0" },
    transfer_restrictions: { is_anti_whale: "0", transfer_pausable: "0", transfer_blacklist: "0" },
    threat_intelligence: { risk_level: "", trust_level: "" },
    unknown: [
      "basic_info.days_deployed",
      "basic_info.verified",
      "token_market.holders_count",
      "token_market.holders_concentration.top1_eoa_concentration",
      "token_market.holders_concentration.top5_eoa_concentration",
      "threat_intelligence.risk_level",
      "threat_intelligence.trust_level",
    ],
  });
  expect(scanned_time).toBeGreaterThan(1_700_000_000);
});

test("holders and age come from a configured index", async () => {
  const address = await market.trade("PlainCoin");
  const now = Math.floor(systemClock.now() / 1_000);
  const index = {
    recordOf: async () => ({ holders: 3, top1Percent: 12.5, top5Percent: 30, deployedAtSec: now - 2 * 86_400 - 60 }),
  };

  const answer = await operation(anvil.url, market.markets, index)({ chainId: CHAIN, address, wait: true });

  const { data } = Object(answer.ok && answer.body);
  expect([data.token_market.holders_count, data.basic_info.days_deployed]).toEqual(["3", "2"]);
  expect(data.token_market.holders_concentration).toEqual({
    top1_eoa_concentration: "12.5",
    top5_eoa_concentration: "30",
  });
  expect(data.unknown).toEqual([
    "basic_info.verified",
    "threat_intelligence.risk_level",
    "threat_intelligence.trust_level",
  ]);
});

test.each([
  [
    [500, 200, 1_000],
    ["0", "5", "2", "10"],
  ],
  [
    [30, 0, 1],
    ["0", "0.3", "0", "0"],
  ],
  [
    [0, 0, 8_500],
    ["0", "0", "0", "85"],
  ],
  [
    [0, 0, 9_500],
    ["1", "0", "0", "95"],
  ],
])("fees of %j ten-thousandths are found", async (fees, expected) => {
  const address = await market.trade("FeeCoin", "wrapped", "uint256, uint256, uint256", fees);

  expect(shown(await analysed(address))).toEqual(expected);
});

test("the taxes of purchases, transfers and sales are exact to a twentieth of a percent, in pools of both kinds", async () => {
  for (let i = 0; i < 8; i++) {
    const fees = [(i * 37) % 500, (i * 113) % 1_500, (i * 1_331) % 8_000];
    const how = { types: "uint256, uint256, uint256", values: fees };
    const told = [await market.trade("FeeCoin", "wrapped", how.types, fees), await market.tradeInRange("FeeCoin", how)];
    for (const address of told) {
      const [honeypot, ...taxes] = shown(await analysed(address));
      expect(honeypot).toBe("0");
      const errors = fees.map((fee, kind) => Math.abs(Number(taxes[kind] || "NaN") - fee / 100));
      expect(Math.max(...errors)).toBeLessThan(0.0501);
    }
  }
});

test.each([
  ["PlainCoin", ["0", "0", "0", "0"]],
  ["TrapCoin", ["1", "0", "0", ""]],
])("%s is tried out in its pool with a stablecoin", async (form, expected) => {
  expect(shown(await analysed(await market.trade(form, "stable")))).toEqual(expected);
});

test.each(["TrapCoin", "SilentTrapCoin"])("%s is a honeypot", async (form) => {
  const data = await analysed(await market.trade(form));

  expect([data.security_risks.is_honeypot, data.overall_score]).toEqual(["1", "5"]);
});

test.each([1n, 1_000n, 999_999n])("a pool of %s units is too thin to tell a trap from no money", async (coins) => {
  const inPair = await analysed(await market.trade("PlainCoin", "wrapped", undefined, undefined, coins));
  const inRange = await analysed(await market.tradeInRange("PlainCoin", { coins, seeming: 0n }));

  for (const data of [inPair, inRange]) {
    expect([data.basic_info.is_in_dex, ...shown(data)]).toEqual(["1", "0", "", "0", ""]);
    expect(data.unknown).toContain("security_risks.is_honeypot");
  }
});

test("a pool of a million units is enough to recognize a trap", async () => {
  const thin = async (form: string) => analysed(await market.trade(form, "wrapped", undefined, undefined, 1_000_000n));

  expect((await thin("PlainCoin")).unknown).not.toContain("security_risks.is_honeypot");
  expect((await thin("TrapCoin")).security_risks.is_honeypot).toBe("1");
});

describe("a token with several pools", () => {
  const little = { tokens: 10n ** 20n, coins: 10n ** 15n };
  const much = { tokens: 10n ** 26n, coins: 10n ** 21n };

  test("the pools that hold more decide, whatever their base is: a little of the wrapped coin clears no trap", async () => {
    const address = await market.trade("TrapCoin", "wrapped", undefined, undefined, 10n ** 15n);
    expect(shown(await analysed(address))).toEqual(["1", "0", "0", ""]);

    // The base of the pair is now the stablecoin, and in the other pool every sale succeeds.
    await market.tradeBeside(address, "stable", much);
    expect(shown(await analysed(address))).toEqual(["1", "0", "0", "0"]);
  });

  test("a trap in a smaller pool is a trap", async () => {
    const address = await market.trade("TrapCoin", "stable");
    await market.tradeBeside(address, "wrapped", little);

    expect((await analysed(address)).security_risks.is_honeypot).toBe("1");
  });

  test("a plain token is free in all pools, and the highest taxes of any pool are reported", async () => {
    const plain = await market.trade("PlainCoin", "stable");
    await market.tradeBeside(plain, "wrapped", little);
    const fee = await market.trade("FeeCoin", "wrapped", "uint256, uint256, uint256", [500, 200, 1_000]);
    await market.tradeBeside(fee, "stable", much);

    expect(shown(await analysed(plain))).toEqual(["0", "0", "0", "0"]);
    expect(shown(await analysed(fee))).toEqual(["0", "5", "2", "10"]);
  });
});

test.each([
  ["SliceCoin", ["0", "0", "0", "0"]],
  ["SecondTaxCoin", ["0", "0", "0", "80"]],
  ["KeepingCoin", ["0", "0", "100", "0"]],
  ["StayingCoin", ["0", "0", "", "0"]],
  ["TimedTrapCoin", ["0", "0", "0", "0"]],
  ["LongWaitCoin", ["0", "0", "0", "0"]],
  ["RouterTrapCoin", ["0", "0", "0", "0"]],
  ["WalletTrapCoin", ["0", "0", "0", "0"]],
  ["PriceTrapCoin", ["1", "0", "0", ""]],
  ["OriginTrapCoin", ["1", "0", "0", "0"]],
])("%s is not cleared", async (form, expected) => {
  const data = await analysed(await market.trade(form));

  expect(shown(data)).toEqual(expected);
  const isOpen = data.unknown?.includes("security_risks.is_honeypot") === true;
  expect(isOpen || data.overall_score === "5").toBe(true);
});

describe("in a pool of the V3 kind", () => {
  const fees = { types: "uint256, uint256, uint256", values: [500, 200, 1_000] };
  const free = ["0", "0", "0", "0"];
  test.each<[string, string, RangeTrade, readonly string[]]>([
    ["a plain token trades freely", "PlainCoin", {}, free],
    ["whatever the pool names its callback", "PlainCoin", { fee: 2_500 }, free],
    ["for a stablecoin, too", "PlainCoin", { base: "stable" }, free],
    ["that holds none of its base yet", "PlainCoin", { coins: 0n }, free],
    ["that holds a millionth of what it seems to", "PlainCoin", { seeming: 1_000_000n }, free],
    ["taxes are told", "FeeCoin", fees, ["0", "5", "2", "10"]],
    ["taxes are told for a stablecoin", "FeeCoin", { ...fees, base: "stable" }, ["0", "5", "2", "10"]],
    ["99 % of a sale kept is a trap", "FeeCoin", { ...fees, values: [0, 0, 9_900] }, ["1", "0", "0", "99"]],
    ["a trap is one", "TrapCoin", {}, ["1", "0", "0", ""]],
    ["a trap for a stablecoin is one", "TrapCoin", { base: "stable" }, ["1", "0", "0", ""]],
    ["a trap that says that all is well is one", "SilentTrapCoin", {}, ["1", "0", "0", "100"]],
    ["a wait is none", "CooldownCoin", {}, ["0", "0", "0", "0"]],
    ["what ends itself at a sale does not get in the way", "VanishingCoin", {}, free],
    ["nor what returns megabytes", "ReturnBombCoin", {}, free],
    ["nor what fails with megabytes", "ReasonBombCoin", {}, ["1", "0", "0", ""]],
  ])("in a pool of the V3 kind, trading gives the expected result: %s", async (_name, form, how, expected) => {
    const data = await analysed(await market.tradeInRange(form, how));

    expect(shown(data)).toEqual(expected);
    expect([data.basic_info.is_in_dex, data.unknown?.includes("security_risks.is_honeypot")]).toEqual(["1", false]);
  });

  test("in a pool of the V3 kind, trading shows a size limit", async () => {
    const data = await analysed(await market.tradeInRange("MaxCoin"));

    expect([...shown(data), data.transfer_restrictions.is_anti_whale]).toEqual(["0", "0", "0", "0", "1"]);
  });

  test("in a pool of the V3 kind, a token that burns all gas at a sale is a trap", async () => {
    const data = await analysed(await market.tradeInRange("GasBombCoin"));

    expect([data.security_risks.is_honeypot, data.overall_score]).toEqual(["1", "5"]);
  });

  test("a V3 pool may supply the stablecoin, whatever pool the token is in", async () => {
    const other = await openMarket(anvil, "v3");
    const inRange = await other.tradeInRange("FeeCoin", { ...fees, base: "stable" });
    const inPair = await other.trade("TrapCoin", "stable");

    expect(shown(await analysed(inRange, anvil.url, other.markets))).toEqual(["0", "5", "2", "10"]);
    expect(shown(await analysed(inPair, anvil.url, other.markets))).toEqual(["1", "0", "0", ""]);
  });
});

test("a waiting period between receiving and sending is no honeypot", async () => {
  const data = await analysed(await market.trade("CooldownCoin"));

  expect(data.security_risks.is_honeypot).toBe("0");
  expect(data.unknown).not.toContain("security_risks.is_honeypot");
});

test("a token that remembers its buyers is not cleared by a holder that did not buy", async () => {
  const data = await analysed(await market.trade("MarkingCoin"));

  expect([data.security_risks.is_honeypot, data.overall_score]).toEqual(["0", ""]);
  expect(data.unknown).toContain("security_risks.is_honeypot");
});

test.each([
  ["PlainCoin", "0"],
  ["TrapCoin", "1"],
  ["SilentTrapCoin", "1"],
  ["GasBombCoin", "1"],
  ["CooldownCoin", "0"],
])("the owner of %s sells where strangers do not: %s", async (form, only) => {
  const data = await analysed(await market.trade(form));

  expect(data.trade_analysis["only_owner_sells"]).toBe(only);
  expect(data.unknown).not.toContain("trade_analysis.only_owner_sells");
});

test("the owner's own tokens are tried when the slot of balances is unknown", async () => {
  const data = await analysed(await market.trade("SplitTrapCoin"));

  expect(shown(data)).toEqual(["1", "0", "0", ""]);
  expect([data.trade_analysis["only_owner_sells"], data.overall_score]).toEqual(["1", "5"]);
  expect(shown(await analysed(await anvil.deploy("SplitTrapCoin")))).toEqual(["0", "", "0", ""]);
});

test("trading shows a size limit, which is no honeypot", async () => {
  const data = await analysed(await market.trade("MaxCoin"));

  expect([...shown(data), data.transfer_restrictions.is_anti_whale]).toEqual(["0", "0", "0", "0", "1"]);
});

test("the powers of the owner are read from the code", async () => {
  const of = async (form: string) => {
    const {
      transfer_restrictions: limits,
      security_risks: risks,
      basic_info: basic,
    } = await analysed(await market.trade(form));
    return [
      limits.transfer_blacklist,
      limits.transfer_pausable,
      basic.is_mintable,
      risks.unlimited_mintable,
      risks.self_destruct,
      risks.hidden_owner,
    ];
  };

  expect(await of("BlacklistCoin")).toEqual(["1", "0", "0", "0", "0", "0"]);
  expect(await of("PausableCoin")).toEqual(["0", "1", "0", "0", "0", "0"]);
  expect(await of("MintCoin")).toEqual(["0", "0", "1", "1", "1", "0"]);
  expect(await of("LockedCoin")).toEqual(["0", "1", "0", "0", "0", "1"]);
});

test("a paused token is not called a trap, and its sale is unknown", async () => {
  const address = await market.trade("PausableCoin");
  const abi = parseAbi(["function setPaused(bool paused)"]);
  await anvil.send(address, encodeFunctionData({ abi, functionName: "setPaused", args: [true] }));

  const data = await analysed(address);

  expect([...shown(data), data.overall_score]).toEqual(["0", "", "", "", ""]);
  expect(data.unknown).toContain("security_risks.is_honeypot");
});

test("a token without a pool is passed on by a holder that was given some", async () => {
  const fees = [0n, 700n, 0n];
  const data = await analysed(await anvil.deploy("FeeCoin", "uint256, uint256, uint256", fees));

  expect([data.basic_info.is_in_dex, ...shown(data)]).toEqual(["0", "0", "", "7", ""]);
  expect(data.unknown).toContain("security_risks.is_honeypot");
});

test.each([
  ["VanishingCoin", "0"],
  ["GasBombCoin", "1"],
  ["ReturnBombCoin", "0"],
  ["ReasonBombCoin", "1"],
])("%s does not disturb the analysis", async (form, honeypot) => {
  expect((await analysed(await market.trade(form))).security_risks.is_honeypot).toBe(honeypot);
});

test.each([
  ["EndlessBalanceCoin", ["0", "", "", ""], true],
  ["BoastingCoin", ["0", "", "", ""], true],
  ["LongBalanceCoin", ["0", "", "", ""], true],
  ["LongNameCoin", ["0", "0", "0", "0"], false],
])(
  "%s, which attacks its caller, is not cleared unless it is seen to trade freely",
  async (form, expected, isUnknown) => {
    for (const address of [await market.trade(form), await market.tradeInRange(form)]) {
      const data = await analysed(address);

      expect(shown(data)).toEqual(expected);
      expect(data.unknown?.includes("security_risks.is_honeypot")).toBe(isUnknown);
      expect(data.basic_info.token_name.length).toBeLessThanOrEqual(128);
    }
  },
);

test("an account is no token, and its fields are unknown", async () => {
  const data = await analysed(`0x${"9".repeat(40)}`);

  const { address_type, overall_risk_level, overall_score, security_risks } = data;
  expect([address_type, overall_risk_level, overall_score, security_risks.is_honeypot]).toEqual([
    "Empty",
    "Unknown",
    "",
    "0",
  ]);
  expect(data.unknown).toContain("security_risks.is_honeypot");
  expect(data.unknown).toContain("security_risks.hidden_owner");
});

/** A batch is one request. A trial of a holder with given tokens costs one more, and a later sale another one. */
test.each([
  ["PlainCoin", 10],
  ["TrapCoin", 10],
  ["CooldownCoin", 11],
])("%s takes %i requests to a node", async (form, most) => {
  const address = await market.trade(form);
  let requests = 0;
  const url = await listen(
    answering(({ body }, response) => {
      requests++;
      const headers = { "content-type": "application/json" };
      void fetch(anvil.url, { method: "POST", headers, body })
        .then((answer) => answer.text())
        .then((text) => response.writeHead(200, headers).end(text));
    }),
  );

  await analysed(address, url);

  expect(requests).toBe(most);
});

describe("weir serve", () => {
  const headers = { "x-api-key": SERVICE_KEY, "content-type": "application/json" };
  const asker = (url: string | undefined) => async (address: string, wait: boolean) => {
    const body = JSON.stringify({ chainId: CHAIN, address, wait });
    const response = await fetch(`${url}/v2/svc/token-security`, { method: "POST", headers, body });
    return [response.status, Object(await response.json())] as const;
  };

  test("the answer is in progress first, and the poll gets the result", async () => {
    const marketsFile = path.join(await emptyFolder(), "markets.json");
    await writeFile(marketsFile, JSON.stringify({ markets: { [CHAIN]: market.markets } }));
    const address = await market.trade("TrapCoin");
    const { SERVICE_URL: url } = await served({
      EVM_RPC_URLS: JSON.stringify({ [CHAIN]: anvil.url }),
      EVM_MARKETS_FILE: marketsFile,
    });
    const ask = asker(url);

    expect(await ask(address, false)).toEqual([200, { code: "0", status: "in progress", pollAfter: 2 }]);
    const [status, { data }] = await eventually(
      () => ask(address, false),
      ([, body]) => body.status === "ok",
      "the analysis is done",
    );
    expect([status, data.security_risks.is_honeypot, data.overall_risk_level]).toEqual([200, "1", "Significant Risk"]);
    expect(await ask(`0x${"1".repeat(39)}`, true)).toMatchObject([400, { status: "invalid address" }]);
  });

  test("the service continues after a kill in the middle of an analysis, and has its answers", async () => {
    const { hostname: host, port } = new URL(anvil.url);
    const proxy = await startProxy({ target: { host, port: Number(port) } });
    onTestFinished(() => proxy.close());
    const env = {
      EVM_RPC_URLS: JSON.stringify({ [CHAIN]: `http://${proxy.host}:${proxy.port}` }),
      TOKEN_STORE_FILE: path.join(await emptyFolder(), "tokens.db"),
      SERVICE_API_KEYS: SERVICE_KEY,
      PORT: "0",
    };
    const serve = async () => {
      const serving = start(["serve"], env);
      const [, url] = await serving.untilSaid(/"url":"(http:[^"]+)"/);
      return { serving, ask: asker(url) };
    };
    const address = await market.trade("PlainCoin");
    const first = await serve();
    await proxy.set({ mode: "blackHole" });
    expect(await first.ask(address, false)).toMatchObject([200, { status: "in progress" }]);
    first.serving.child.kill("SIGKILL");
    await first.serving.ended;
    await proxy.set({ mode: "pass" });

    const before = proxy.connections();
    const second = await serve();
    await eventually(
      async () => proxy.connections(),
      (now) => now > before,
      "it asks a node, though nobody asked it",
    );
    const answer = await second.ask(address, true);
    expect(answer).toMatchObject([200, { status: "ok", data: { basic_info: { token_name: "Plain" } } }]);
    second.serving.child.kill("SIGKILL");
    await second.serving.ended;

    await proxy.set({ mode: "blackHole" });
    const third = await serve();
    expect(await third.ask(address, false)).toEqual(answer);
  });
});
