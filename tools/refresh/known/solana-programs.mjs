/**
 * Programs of Solana that users call: package, file, the constant that holds the id, and the name of the program. The
 * id is the first address that follows the assignment of the constant, so that no id is typed in here. Each is
 * published by the program's own project, except for Jupiter's perpetuals, which are in Kamino's package and Jupiter's
 * list. Programs that move any assets on a caller's instruction are left out (Metaplex's system extras): a label
 * vouches for a program's effects.
 */
const PROGRAMS = `
  jupiter | dist/index.js | JUPITER_PROGRAM_V6_ID | Jupiter v6
  jupiter | dist/index.js | JUPITER_PROGRAM_V4_ID | Jupiter v4
  jupiterdca | dist/index.js | mainnet-beta | Jupiter DCA
  jupiterlimit | dist/index.js | mainnet-beta | Jupiter limit order
  jupiterlend | dist/shared/lend.DS0KoPpL.mjs | address$1 | Jupiter lending
  jupiterlend | dist/shared/lend.C2-jCLFw.mjs | address | Jupiter lend vaults
  jupiterlend | dist/shared/lend.Cr2l14_0.mjs | address | Jupiter lend flashloan
  jupiterreferral | dist/index.js | PROGRAM_ID | Jupiter referral
  dlmm | dist/index.js | address | Meteora DLMM
  damm | dist/cjs/src/amm/constants.js | PROGRAM_ID | Meteora dynamic AMM
  dammv2 | dist/index.js | CP_AMM_PROGRAM_ID | Meteora DAMM v2
  dbc | dist/index.cjs | DYNAMIC_BONDING_CURVE_PROGRAM_ID | Meteora dynamic bonding curve
  dbc | dist/index.cjs | LOCKER_PROGRAM_ID | Meteora locker
  dbc | dist/index.cjs | VAULT_PROGRAM_ID | Meteora vault
  m3m3 | dist/index.js | STAKE_FOR_FEE_PROGRAM_ID | Meteora stake for fee
  alphavault | dist/index.js | PROGRAM_ID | Meteora alpha vault
  klend | dist/@codegen/klend/programId.js | PROGRAM_ID_CLI | Kamino lend
  klend | dist/@codegen/kvault/programId.js | PROGRAM_ID_CLI | Kamino vault
  klend | dist/@codegen/jupiter_perps/programId.js | PROGRAM_ID_CLI | Jupiter perpetuals
  kliquidity | dist/@codegen/kliquidity/programId.js | PROGRAM_ID_CLI | Kamino liquidity
  kfarms | dist/@codegen/farms/programs/farms.js | FARMS_PROGRAM_ADDRESS | Kamino farms
  klimo | dist/rpc_client/generated/programs/limo.js | LIMO_PROGRAM_ADDRESS | Kamino limo
  marginfi | dist/constants/program.consts.js | MARGINFI_PROGRAM | MarginFi
  marinade | dist/src/config/marinade-config.js | marinadeFinanceProgramId | Marinade
  marinade | dist/src/config/marinade-config.js | marinadeReferralProgramId | Marinade referral
  solend | core/constants.js | SOLEND_PRODUCTION_PROGRAM_ID | Solend
  squads | lib/index.js | PROGRAM_ADDRESS | Squads multisig
  mplcore | dist/src/generated/programs/mplCore.js | MPL_CORE_PROGRAM_ID | Metaplex core
  bubblegum | dist/src/generated/programs/mplBubblegum.js | MPL_BUBBLEGUM_PROGRAM_ID | Metaplex bubblegum
  candymachine | dist/src/generated/programs/mplCandyMachineCore.js | MPL_CANDY_MACHINE_CORE_PROGRAM_ID | Metaplex candy machine
  candymachine | dist/src/generated/programs/mplCandyGuard.js | MPL_CANDY_GUARD_PROGRAM_ID | Metaplex candy guard
  auctionhouse | dist/src/generated/index.js | PROGRAM_ADDRESS | Metaplex auction house
  authrules | dist/src/generated/programs/mplTokenAuthRules.js | MPL_TOKEN_AUTH_RULES_PROGRAM_ID | Metaplex token auth rules
  drift | lib/node/config.js | DRIFT_PROGRAM_ID | Drift
  saber | dist/cjs/constants.js | SWAP_PROGRAM_ID | Saber
  pump | dist/index.js | PUMP_PROGRAM_ID | Pump.fun
  pump | dist/index.js | PUMP_AMM_PROGRAM_ID | PumpSwap
  pump | dist/index.js | PUMP_FEE_PROGRAM_ID | Pump.fun fees
  pump | dist/index.js | MAYHEM_PROGRAM_ID | Pump.fun mayhem
  pyth | dist/cjs/address.cjs | DEFAULT_RECEIVER_PROGRAM_ID | Pyth receiver
  pyth | dist/cjs/address.cjs | DEFAULT_WORMHOLE_PROGRAM_ID | Pyth Wormhole receiver
  pyth | dist/cjs/address.cjs | DEFAULT_PUSH_ORACLE_PROGRAM_ID | Pyth push oracle
  switchboard | lib/index.js | oracleProgramId | Switchboard v2
  tensoramm | dist/src/index.js | TENSOR_AMM_PROGRAM_ADDRESS | Tensor AMM
  tensormarket | dist/src/index.js | TENSOR_MARKETPLACE_PROGRAM_ADDRESS | Tensor marketplace
  tensorswap | dist/cjs/tensorswap/constants.js | TENSORSWAP_ADDR | TensorSwap
  tensorswap | dist/cjs/tensor_bid/constants.js | TBID_ADDR | Tensor bid
  sns | dist/cjs/constants.cjs | const P | Solana name service
  stakepool | dist/index.cjs.js | STAKE_POOL_PROGRAM_ID | SPL stake pool
  tokenswap | lib/cjs/index.js | TOKEN_SWAP_PROGRAM_ID | SPL token swap
  tokenswap | lib/cjs/index.js | OLD_TOKEN_SWAP_PROGRAM_ID | SPL token swap (old)
  compression | dist/cjs/src/generated/index.js | PROGRAM_ADDRESS | SPL account compression
  compression | dist/cjs/src/constants/index.js | SPL_NOOP_ADDRESS | SPL noop
  flash | dist/PoolConfig.json | programId | Flash Trade
`;

const BRIDGES = `
  mayan | dist/index.js | MAYAN_PROGRAM_ID | Mayan
  mayan | dist/index.js | MCTP_PROGRAM_ID | Mayan MCTP
  mayan | dist/index.js | FAST_MCTP_PROGRAM_ID | Mayan fast MCTP
  mayan | dist/index.js | SWIFT_PROGRAM_ID | Mayan Swift
  mayan | dist/index.js | SWIFT_V2_PROGRAM_ID | Mayan Swift v2
  ntt | dist/cjs/ts/sdk/nttWithExecutor.js | nttWithExecutorProgramId | Wormhole NTT with executor
  ntt | dist/cjs/ts/idl/wormhole_shim/json/wormhole_post_message_shim.json | address | Wormhole post message shim
`;

/** The entries of a list for each package: its key and the file to unpack. */
function entriesOf(list) {
  return list
    .trim()
    .split("\n")
    .map((line) => {
      const [key, file, constant, name] = line.split("|").map((part) => part.trim());
      return { key, file, constant, name };
    });
}

/** Jupiter's names for the programs through which it trades, and an independent decoder of trades. */
const ROUTED = { key: "jupiterparser", file: "dist/index.js" };
const WITNESSES = [
  { key: "dexparser", file: "dist/src/constants/programId.js" },
  { key: "openbook", file: "lib/tokens_and_markets.js" },
];

/** Files to unpack by key; most of these packages are megabytes of code for two or three ids. */
export const programFiles = Object.groupBy(
  [...entriesOf(PROGRAMS), ...entriesOf(BRIDGES), ROUTED, ...WITNESSES],
  ({ key }) => key,
);

const ID = "[1-9A-HJ-NP-Za-km-z]{32,44}";

/** Every program: { chain, address, name, kind, key, wellKnown }. */
export function* solanaPrograms(packages) {
  for (const entry of entriesOf(PROGRAMS)) yield programOf(packages, entry, "protocol");
  for (const entry of entriesOf(BRIDGES)) yield programOf(packages, entry, "bridge");
  yield* routed(packages);
}

function programOf(packages, { key, file, constant, name }, kind) {
  const assigned = new RegExp(`(?<![\\w$])${RegExp.escape(constant)}["']?\\s*[:=][^;]{0,160}?["'\`](${ID})["'\`]`);
  const [, address] = assigned.exec(packages.text(key, file)) ?? [];
  if (address === undefined) throw new Error(`${key}: ${file} has no ${constant}`);
  return { kind, wellKnown: true, key, chain: "solana", address, name };
}

/**
 * Programs of Jupiter's list that another project's package also names: a list of other projects' programs is no source
 * of its own.
 */
function* routed(packages) {
  const witnesses = WITNESSES.map(({ key, file }) => packages.text(key, file)).join("\n");
  for (const [, address, name] of packages
    .text(ROUTED.key, ROUTED.file)
    .matchAll(new RegExp(`^ {2}"?(${ID})"?: "([^"]+)",?$`, "gm"))) {
    if (new RegExp(`\\b${address}\\b`).test(witnesses)) {
      yield { kind: "protocol", wellKnown: true, key: ROUTED.key, chain: "solana", address, name };
    }
  }
}
