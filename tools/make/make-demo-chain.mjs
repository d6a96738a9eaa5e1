// Writes demo/chain.json, the transactions that make the demo's own EVM chain, and demo/markets.json, the markets of
// its tokens: `node tools/make/make-demo-chain.mjs`. Compiles demo/contracts/tokens.sol with the pools of market.sol
// and v3.sol in test/fixtures/evm. Every address is known beforehand, since the first account of anvil sends all
// transactions. Prints the tokens and transactions for demo/events.ndjson.
import { writeFileSync } from "node:fs";
import path from "node:path";
import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  parseAbi,
  parseAbiParameters,
} from "viem";
import { compile, compiler, root } from "../compile/solidity.mjs";

/** The chain id of Cannon, a development tool. Its number is registered, and no public network has it. */
const CHAIN_ID = "13370";
/** The first account of anvil's mnemonic, "test test test test test test test test test test test junk". */
const FROM = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const COIN = 10n ** 18n;
/** Amount of tokens in a pool. */
const TOKENS = 500_000_000n * COIN;
const COINS = 100n * COIN;
/** Fee of V3 pools, millionths. */
const FEE = 3_000;

const settings = { evmVersion: "cancun", metadata: { bytecodeHash: "none" }, optimizer: { enabled: true, runs: 200 } };

/** Creation codes by name. */
function codesOf(files, settings) {
  const contracts = Object.values(compile(root, files, settings, ["evm.bytecode.object"]));
  const codes = contracts.flatMap((of) =>
    Object.entries(of).map(([name, { evm }]) => [name, `0x${evm.bytecode.object}`]),
  );
  return Object.fromEntries(codes);
}

const fixtures = path.join("test", "fixtures", "evm");
/** The swap of a V3 pool has too many values for the stack. */
const codes = {
  ...codesOf([path.join(fixtures, "market.sol"), path.join("demo", "contracts", "tokens.sol")], settings),
  ...codesOf([path.join(fixtures, "v3.sol")], { ...settings, viaIR: true }),
};

const abi = parseAbi([
  "function deposit()",
  "function createPair(address a, address b)",
  "function transfer(address to, uint256 amount)",
  "function sync()",
  "function setPair(address pair)",
  "function renounceOwnership()",
  "function approve(address spender, uint256 amount)",
  "function claim(address[] coins)",
  "function begin(string name)",
  "function begin(address a, uint256 offsetOfA, uint256 offsetOfB)",
  "function createPool(address a, address b, uint24 fee)",
]);
const encode = (functionName, args = []) => encodeFunctionData({ abi, functionName, args });

const steps = [];
const call = (what, to, data, value = 0n) =>
  steps.push({ what, to, data, ...(value === 0n ? {} : { value: `0x${value.toString(16)}` }) });
const deploy = (name, types = "", values = []) => {
  const creates = getContractAddress({ from: FROM, nonce: BigInt(steps.length) }).toLowerCase();
  const args = types === "" ? "0x" : encodeAbiParameters(parseAbiParameters(types), values);
  steps.push({ what: `deploys ${name}`, data: concatHex([codes[name], args]), creates });
  return creates;
};

const wrapped = deploy("WrappedCoin");
const stable = deploy("StableCoin");
const factory = deploy("MarketFactory");
/** The first contract that a contract creates has the nonce 1. */
let pools = 0n;

function fill(name, token, base, tokens, coins) {
  const pair = getContractAddress({ from: factory, nonce: ++pools }).toLowerCase();
  call(`makes a pool of ${name}`, factory, encode("createPair", [token, base]));
  call(`fills it with ${name}`, token, encode("transfer", [pair, tokens]));
  call("fills it with its base", base, encode("transfer", [pair, coins]));
  call("lets it count", pair, encode("sync"));
  call(`tells ${name} of it`, token, encode("setPair", [pair]));
}

function trade(name, { base = wrapped, types, values } = {}) {
  const token = deploy(name, types, values);
  fill(name, token, base, TOKENS, COINS);
  return token;
}

call("wraps coins", wrapped, encode("deposit"), 5_000n * COIN);
fill("StableCoin", stable, wrapped, 250_000n * COIN, COINS);

const fees = (...shares) => ({ types: "uint256, uint256, uint256", values: shares });
const tokens = {
  stable,
  plain: trade("PlainCoin"),
  "plain-for-stable": trade("PlainCoin", { base: stable }),
  fee: trade("FeeCoin", fees(500n, 200n, 1_000n)),
  "trap-owner": trade("TrapCoin"),
  "trap-shut": trade("ShutCoin"),
  "trap-dust": trade("DustCoin"),
  "trap-fee": trade("FeeCoin", fees(0n, 0n, 9_900n)),
  "trap-gate": trade("GatedCoin"),
  "trap-memory": trade("MarkingCoin"),
  blacklist: trade("BlacklistCoin"),
  pausable: trade("PausableCoin"),
  mintable: trade("MintCoin"),
  "hidden-owner": trade("HiddenOwnerCoin"),
};
call("gives HiddenOwnerCoin up", tokens["hidden-owner"], encode("renounceOwnership"));
const runs = deploy("CoinToRun");
tokens.proxy = deploy("UpgradeableCoin", "address, bytes", [runs, encode("begin", ["Upgradeable"])]);
fill("UpgradeableCoin", tokens.proxy, wrapped, TOKENS, COINS);
tokens.pictures = deploy("Pictures");
tokens.things = deploy("Things");

const rangeFactory = deploy("RangeFactory");
let rangePools = 0n;

/** Makes a pool of the V3 kind, which seems to hold ten times its content. */
function tradeInRange(name) {
  const token = deploy(name);
  const pool = getContractAddress({ from: rangeFactory, nonce: ++rangePools }).toLowerCase();
  call(`makes a V3 pool of ${name}`, rangeFactory, encode("createPool", [token, wrapped, FEE]));
  call(`fills it with ${name}`, token, encode("transfer", [pool, TOKENS]));
  call("fills it with its base", wrapped, encode("transfer", [pool, COINS]));
  call("begins it", pool, encode("begin", [token, 9n * TOKENS, 9n * COINS]));
  call(`tells ${name} of it`, token, encode("setPair", [pool]));
  return token;
}

tokens["plain-in-range"] = tradeInRange("PlainCoin");
tokens["trap-in-range"] = tradeInRange("TrapCoin");

/** An account that approved two tokens for a contract, and the receiver of a claim from it. */
const [FRIEND, TAKER] = ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"];
const ALL = 2n ** 256n - 1n;
const giveaway = deploy("Giveaway", "address", [TAKER]);
for (const name of ["plain", "stable"]) {
  call(`lets Giveaway take ${name}`, tokens[name], encode("approve", [giveaway, ALL]));
}
const transactions = {
  "evm-payment": { to: tokens.plain, data: encode("transfer", [FRIEND, 250n * COIN]) },
  "evm-approval": { to: tokens.plain, data: encode("approve", [TAKER, ALL]) },
  "evm-giveaway": { to: giveaway, data: encode("claim", [[tokens.plain, tokens.stable]]) },
};

const chain = {
  about:
    "Written by tools/make/make-demo-chain.mjs: the transactions that make the demo's own EVM chain, sent by `from` in this order.",
  compiler,
  chain_id: CHAIN_ID,
  from: FROM,
  tokens,
  steps,
};
const markets = {
  [CHAIN_ID]: { wrapped, stables: [stable], factories: [factory], v3: [{ factory: rangeFactory, fees: [FEE] }] },
};
const about = "Written by tools/make/make-demo-chain.mjs: where the tokens of demo/chain.json are traded.";
writeFileSync(path.join(root, "demo", "chain.json"), `${JSON.stringify(chain, null, 2)}\n`);
/** Short lists are on one line, as the formatter writes them. */
const text = JSON.stringify({ about, markets }, null, 2).replace(/\[\s+([^[\]{}]*?)\s+\]/g, "[$1]");
writeFileSync(path.join(root, "demo", "markets.json"), `${text}\n`);
for (const [name, token] of Object.entries(tokens)) process.stdout.write(`${name} ${token}\n`);
for (const [id, fields] of Object.entries(transactions)) {
  process.stdout.write(`${id} ${JSON.stringify({ from: FROM, ...fields, value: "0" })}\n`);
}
