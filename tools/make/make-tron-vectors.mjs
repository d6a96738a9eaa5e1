/**
 * Writes test/fixtures/tron-vectors.json: a transaction of every builder of tronweb, as the library itself built it,
 * without a network. Types without a builder are made by other means (`unbuilt`). `node
 * tools/make/make-tron-vectors.mjs`
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { TronWeb, utils } from "tronweb";

const require = createRequire(import.meta.url);
const { version } = JSON.parse(readFileSync(path.join(path.dirname(require.resolve("tronweb")), "../../package.json")));
// tronweb's own encoder: a second source for the encoding where the library has no message of its own.
const requireOfTronWeb = createRequire(require.resolve("tronweb"));
const { BinaryWriter } = requireOfTronWeb("google-protobuf");
const { Any } = requireOfTronWeb("google-protobuf/google/protobuf/any_pb.js");
const { Transaction, UnfreezeAssetContract } = globalThis.TronWebProto;

const tronWeb = new TronWeb({ fullHost: "http://127.0.0.1:1" });
const builder = tronWeb.transactionBuilder;
const blockHeader = {
  ref_block_bytes: "1a2b",
  ref_block_hash: "0123456789abcdef",
  expiration: 1_893_456_060_000,
  timestamp: 1_893_456_000_000,
};
const options = { blockHeader };
const underPermission = { blockHeader, permissionId: 2 };

const user = "TVjsyZ7fYF3qLF6BQgPmTEZy1xrNNyVAAA";
const other = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const third = "TPYmHEhy5n8TCEfYGqW2rPxsghSfzghPDn";
const all = `7fff1fc0033e${"0".repeat(52)}`;

const key = (address, weight = 1) => ({ address, weight });
const ownerPermission = (keys, threshold = 1) => ({ type: 0, permission_name: "owner", threshold, keys });
const activePermission = (keys, extra = {}) => ({
  type: 2,
  permission_name: "active0",
  threshold: 1,
  operations: all,
  keys,
  ...extra,
});
const witnessPermission = (keys) => ({ type: 1, permission_name: "witness", threshold: 1, keys });

const abi = [
  {
    type: "constructor",
    inputs: [{ name: "supply", type: "uint256", internalType: "uint256" }],
    payable: false,
    stateMutability: "nonpayable",
  },
  {
    type: "function",
    name: "balanceOf",
    constant: true,
    stateMutability: "view",
    inputs: [{ name: "who", type: "address" }],
    outputs: [{ name: "", type: "uint256" }],
  },
  { type: "function", name: "deposit", stateMutability: "payable", payable: true, inputs: [], outputs: [] },
  {
    type: "event",
    name: "Transfer",
    anonymous: false,
    stateMutability: "nonpayable",
    inputs: [
      { indexed: true, name: "from", type: "address" },
      { indexed: false, name: "amount", type: "uint256" },
    ],
  },
  { type: "receive", stateMutability: "payable" },
];
const token = {
  name: "A token",
  abbreviation: "ATKN",
  description: "made for a test",
  url: "https://example.org/token",
  totalSupply: 10_000_000,
  trxRatio: 1,
  tokenRatio: 2,
  saleStart: 1_924_992_000_000,
  saleEnd: 1_925_078_400_000,
  freeBandwidth: 100,
  freeBandwidthLimit: 1000,
  frozenAmount: 5,
  frozenDuration: 3,
  precision: 6,
  blockHeader,
};
const called = async (signature, parameters, more = {}) => {
  const built = await builder.triggerSmartContract(
    other,
    signature,
    { txLocal: true, feeLimit: 100_000_000, ...options, ...more },
    parameters,
    user,
  );
  return built.transaction;
};
const of = (type, value) => ({ type, value });

const built = {
  sendTrx: () => builder.sendTrx(other, 1_000_000, user, options),
  "sendTrx of the largest safe amount": () => builder.sendTrx(other, Number.MAX_SAFE_INTEGER, user, options),
  "sendTrx under a permission": () => builder.sendTrx(other, 1, user, underPermission),
  "sendTrx with a memo": async () =>
    builder.addUpdateData(await builder.sendTrx(other, 2, user, options), "invoice 7, grüße", "utf8", {
      txLocal: true,
    }),
  "sendTrx made to last longer": async () =>
    builder.extendExpiration(await builder.sendTrx(other, 2, user, options), 3600, { txLocal: true }),
  sendToken: () => builder.sendToken(other, 7, "1002000", user, options),
  sendAsset: () => builder.sendAsset(other, 8, "1002000", user, options),
  purchaseToken: () => builder.purchaseToken(other, "1002000", 5, user, options),
  purchaseAsset: () => builder.purchaseAsset(other, "1002000", 6, user, options),
  freezeBalance: () => builder.freezeBalance(1_000_000, 3, "ENERGY", user, other, options),
  "freezeBalance for oneself": () => builder.freezeBalance(1_000_000, 3, "BANDWIDTH", user, undefined, options),
  unfreezeBalance: () => builder.unfreezeBalance("ENERGY", user, other, options),
  freezeBalanceV2: () => builder.freezeBalanceV2(5_000_000, "ENERGY", user, options),
  "freezeBalanceV2 for bandwidth": () => builder.freezeBalanceV2(5_000_000, "BANDWIDTH", user, options),
  unfreezeBalanceV2: () => builder.unfreezeBalanceV2(5_000_000, "ENERGY", user, options),
  cancelUnfreezeBalanceV2: () => builder.cancelUnfreezeBalanceV2(user, options),
  delegateResource: () => builder.delegateResource(3_000_000, other, "ENERGY", user, false, undefined, options),
  "delegateResource locked": () => builder.delegateResource(3_000_000, other, "BANDWIDTH", user, true, 86_400, options),
  undelegateResource: () => builder.undelegateResource(3_000_000, other, "ENERGY", user, options),
  withdrawExpireUnfreeze: () => builder.withdrawExpireUnfreeze(user, options),
  withdrawBlockRewards: () => builder.withdrawBlockRewards(user, options),
  applyForSR: () => builder.applyForSR(user, "https://example.org/sr", options),
  updateWitness: () => builder.updateWitness(user, "https://example.org/sr2", options),
  vote: () => builder.vote({ [other]: 5, [third]: 7 }, user, options),
  createSmartContract: () =>
    builder.createSmartContract(
      {
        abi,
        bytecode: "6080604052348015600f57600080fd5b50",
        feeLimit: 1_000_000_000,
        callValue: 0,
        userFeePercentage: 30,
        originEnergyLimit: 10_000_000,
        parameters: [1000],
        name: "Sample",
        ...options,
      },
      user,
    ),
  "createSmartContract without an ABI": () =>
    builder.createSmartContract({ abi: [], bytecode: "6080", feeLimit: 1_000_000_000, name: "Bare", ...options }, user),
  "triggerSmartContract transfer": () => called("transfer(address,uint256)", [of("address", third), of("uint256", 12)]),
  "triggerSmartContract transferFrom": () =>
    called("transferFrom(address,address,uint256)", [of("address", user), of("address", third), of("uint256", 12)]),
  "triggerSmartContract approve everything": () =>
    called("approve(address,uint256)", [of("address", third), of("uint256", `0x${"f".repeat(64)}`)]),
  "triggerSmartContract increaseApproval": () =>
    called("increaseApproval(address,uint256)", [of("address", third), of("uint256", 9)]),
  "triggerSmartContract increaseAllowance": () =>
    called("increaseAllowance(address,uint256)", [of("address", third), of("uint256", 9)]),
  "triggerSmartContract setApprovalForAll": () =>
    called("setApprovalForAll(address,bool)", [of("address", third), of("bool", true)]),
  "triggerSmartContract with TRX and a TRC-10": () =>
    called("deposit()", [], { callValue: 3_000_000, tokenId: 1_002_000, tokenValue: 4 }),
  clearABI: () => builder.clearABI(other, user, options),
  updateBrokerage: () => builder.updateBrokerage(20, user, options),
  createToken: () => builder.createToken(token, user),
  createAsset: () => builder.createAsset({ ...token, precision: 0, frozenAmount: 0, frozenDuration: 0 }, user),
  createAccount: () => builder.createAccount(other, user, options),
  updateAccount: () => builder.updateAccount("my account", user, options),
  setAccountId: () => builder.setAccountId("0x6d79206163636f756e74", user, options),
  updateToken: () =>
    builder.updateToken(
      { description: "new text", url: "https://example.org/new", freeBandwidth: 1, freeBandwidthLimit: 2, blockHeader },
      user,
    ),
  updateAsset: () =>
    builder.updateAsset(
      { description: "newer", url: "https://example.org/newer", freeBandwidth: 0, freeBandwidthLimit: 0, blockHeader },
      user,
    ),
  createProposal: () =>
    builder.createProposal(
      [
        { key: 0, value: 100_000 },
        { key: 10, value: 1 },
        { key: 9, value: 0 },
      ],
      user,
      options,
    ),
  deleteProposal: () => builder.deleteProposal(7, user, options),
  voteProposal: () => builder.voteProposal(7, true, user, options),
  "voteProposal taken back": () => builder.voteProposal(7, false, user, options),
  createTRXExchange: () => builder.createTRXExchange("1002000", 10, 20, user, options),
  createTokenExchange: () => builder.createTokenExchange("1002000", 10, "1002001", 20, user, options),
  injectExchangeTokens: () => builder.injectExchangeTokens(3, "1002000", 10, user, options),
  withdrawExchangeTokens: () => builder.withdrawExchangeTokens(3, "1002000", 10, user, options),
  tradeExchangeTokens: () => builder.tradeExchangeTokens(3, "1002000", 10, 8, user, options),
  updateSetting: () => builder.updateSetting(other, 40, user, options),
  updateEnergyLimit: () => builder.updateEnergyLimit(other, 9_000_000, user, options),
  updateAccountPermissions: () =>
    builder.updateAccountPermissions(user, ownerPermission([key(user)]), null, activePermission([key(user)]), options),
  "updateAccountPermissions with a witness": () =>
    builder.updateAccountPermissions(
      user,
      ownerPermission([key(user), key(other, 2)], 2),
      witnessPermission([key(third)]),
      [
        activePermission([key(user)], { id: 2 }),
        activePermission([key(other, 3), key(third, 4)], { threshold: 7, permission_name: "active1", id: 3 }),
      ],
      options,
    ),
};

/**
 * The transaction around an encoded payload, with the library's own messages. `number` as in core/Tron.proto,
 * Transaction.Contract.ContractType.
 */
function wrapped(type, number, value, bytes) {
  const { Contract, raw: Raw } = Transaction;
  const contract = new Contract();
  contract.setType(number);
  const any = new Any();
  any.pack(bytes, `protocol.${type}`);
  contract.setParameter(any);
  const raw = new Raw();
  raw.addContract(contract);
  raw.setRefBlockBytes(Uint8Array.from(Buffer.from(blockHeader.ref_block_bytes, "hex")));
  raw.setRefBlockHash(Uint8Array.from(Buffer.from(blockHeader.ref_block_hash, "hex")));
  raw.setExpiration(blockHeader.expiration);
  raw.setTimestamp(blockHeader.timestamp);
  const written = Buffer.from(raw.serializeBinary());
  return {
    visible: false,
    txID: createHash("sha256").update(written).digest("hex"),
    raw_data_hex: written.toString("hex"),
    raw_data: {
      contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
      ...blockHeader,
    },
  };
}

const hexOf = (address) => TronWeb.address.toHex(address);
const bytesOf = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
const textHex = (text) => Buffer.from(text).toString("hex");

/** Fields as [number, name, kind, value]. Source of the numbers: java-tron, core/contract/{market,vote_asset}_contract.proto. */
function encoded(fields) {
  const writer = new BinaryWriter();
  for (const [number, , kind, value] of fields) {
    if (kind === "bytes") writer.writeBytes(number, bytesOf(value));
    else if (kind === "list") writer.writeRepeatedBytes(number, value.map(bytesOf));
    else if (kind === "bool") writer.writeBool(number, value);
    else if (kind === "int32") writer.writeInt32(number, value);
    else writer.writeInt64(number, value);
  }
  return { value: Object.fromEntries(fields.map(([, name, , each]) => [name, each])), bytes: writer.getResultBuffer() };
}

function byHand(type, number, fields) {
  const { value, bytes } = encoded(fields);
  return wrapped(type, number, value, bytes);
}

function unfreezeAsset() {
  const message = new UnfreezeAssetContract();
  message.setOwnerAddress(bytesOf(hexOf(user)));
  return wrapped("UnfreezeAssetContract", 14, { owner_address: hexOf(user) }, message.serializeBinary());
}

const owner = [1, "owner_address", "bytes", hexOf(user)];
const unbuilt = {
  "UnfreezeAsset, which has no builder": unfreezeAsset,
  "VoteAsset, which has no builder": () =>
    byHand("VoteAssetContract", 3, [
      owner,
      [2, "vote_address", "list", [hexOf(other), hexOf(third)]],
      [3, "support", "bool", true],
      [5, "count", "int32", 9],
    ]),
  "MarketSellAsset, which has no builder": () =>
    byHand("MarketSellAssetContract", 52, [
      owner,
      [2, "sell_token_id", "bytes", textHex("1002000")],
      [3, "sell_token_quantity", "int64", 1_000_000],
      [4, "buy_token_id", "bytes", textHex("_")],
      [5, "buy_token_quantity", "int64", 9_007_199_254_740_991],
    ]),
  "MarketCancelOrder, which has no builder": () =>
    byHand("MarketCancelOrderContract", 53, [owner, [2, "order_id", "bytes", "ab".repeat(32)]]),
};

const vectors = [];
for (const [name, build] of Object.entries(built)) {
  const transaction = await build();
  if (transaction.raw_data === undefined) throw new Error(`${name} built no transaction`);
  if (!utils.transaction.txCheck(transaction)) throw new Error(`${name} does not pass tronweb's own check`);
  vectors.push({ name, transaction });
}
for (const [name, build] of Object.entries(unbuilt)) vectors.push({ name, transaction: build() });
const file = path.join(import.meta.dirname, "../../test/fixtures/tron-vectors.json");
writeFileSync(file, `${JSON.stringify({ madeBy: `tronweb ${version}`, vectors }, null, 1)}\n`);
process.stdout.write(`${vectors.length} transactions by tronweb ${version}\n`);
