import { parseAddress } from "../../chains/address.ts";
import { keyBytes } from "../../chains/solana/key.ts";
import { isTokenProgram, programs } from "../../chains/solana/programs.ts";
import { field, unreadable, wholeNumber } from "./account-json.ts";

/** An instruction by the names of its accounts. */
interface Rebuilt {
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
}

type Rebuild = (info: Info) => Rebuilt;

/**
 * The instruction that a node tells as a story: those that change who may act on an account, as bytes with their accounts
 * in order, and nothing but the program for all others, of which nothing is read. Source: Agave, transaction-status,
 * parse_system.rs, parse_token.rs, parse_stake.rs, parse_vote.rs, parse_bpf_loader.rs, parse_address_lookup_table.rs.
 */
export function instructionOf(program: string, parsed: unknown): Rebuilt {
  const type = String(field(parsed, "type"));
  const info = field(parsed, "info");
  if (isTokenProgram(program) && type === "batch") return batch(program, field(info, "instructions"));
  if (isTokenProgram(program) && /confidential/i.test(type)) return { accounts: [], data: Uint8Array.of(hiding(type)) };
  return tableOf(program)?.[type]?.(new Info(info)) ?? { accounts: [], data: new Uint8Array() };
}

/** Several in one, each with the numbers of its accounts and bytes before it. Those of which nothing is read are left out. */
function batch(program: string, stories: unknown): Rebuilt {
  if (!Array.isArray(stories)) throw unreadable("an inner batch");
  const parts = stories.map((story) => instructionOf(program, story)).filter(({ data }) => data.length > 0);
  return {
    accounts: parts.flatMap(({ accounts }) => accounts),
    data: bytesOf(
      Uint8Array.of(255),
      ...parts.flatMap(({ accounts, data }) => [Uint8Array.of(accounts.length, data.length), data]),
    ),
  };
}

/** By which numbers Token-2022 hides amounts: in mints, in fees and in transfers. Their names alone tell them apart. */
function hiding(type: string): number {
  if (/^confidential(Mint|Burn)$|ConfidentialMintBurn/.test(type)) return 42;
  return /TransferFee|Withheld/.test(type) ? 37 : 27;
}

function tableOf(program: string): Readonly<Record<string, Rebuild>> | undefined {
  if (program === programs.system) return system;
  if (program === programs.stake) return stake;
  if (program === programs.vote) return vote;
  if (program === programs.upgradeableLoader) return loader;
  if (program === programs.addressLookupTable) return table;
  return isTokenProgram(program) ? token : undefined;
}

/** The story's fields; one that is missing makes the whole answer unreadable, so that nothing is passed over. */
class Info {
  readonly #info: unknown;

  constructor(info: unknown) {
    this.#info = info;
  }

  text(...names: readonly string[]): string {
    const text = this.optional(...names);
    if (text === undefined) throw unreadable(`an inner instruction without ${names[0]}`);
    return text;
  }

  optional(...names: readonly string[]): string | undefined {
    for (const name of names) {
      const text = field(this.#info, name);
      if (typeof text === "string") return text;
    }
    return undefined;
  }

  /** Who signed for a multisig authority, behind it. */
  signers(): readonly string[] {
    const signers = field(this.#info, "signers");
    return Array.isArray(signers) ? signers.map(String) : [];
  }

  key(...names: readonly string[]): Uint8Array {
    const text = this.text(...names);
    if (!parseAddress("solana", text).ok) throw unreadable(`an inner instruction's ${names[0]}`);
    return keyBytes(text);
  }

  /** A number, or nothing at all where the story may leave it out. */
  optionalNumber(name: string): bigint | undefined {
    const value = field(this.#info, name);
    if (value === undefined || value === null) return undefined;
    const number = wholeNumber(value);
    if (number === undefined) throw unreadable(`an inner instruction's ${name}`);
    return number;
  }

  number(name: string): bigint {
    const number = this.optionalNumber(name);
    if (number === undefined) throw unreadable(`an inner instruction without ${name}`);
    return number;
  }

  inner(name: string): Info {
    return new Info(field(this.#info, name));
  }

  amount(name: string): bigint {
    const inner = field(field(this.#info, name), "amount");
    const text = typeof inner === "string" ? inner : this.text(name);
    if (!/^\d{1,20}$/.test(text)) throw unreadable(`an inner instruction's ${name}`);
    return BigInt(text);
  }
}

const u32 = (value: number) => Uint8Array.of(value, 0, 0, 0);
const u64 = (value: bigint) => new Uint8Array(new BigUint64Array([value]).buffer);
const text = (value: string) => {
  const bytes = new TextEncoder().encode(value);
  return bytesOf(u64(BigInt(bytes.length)), bytes);
};
const bytesOf = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

const system: Readonly<Record<string, Rebuild>> = {
  assign: (info) => ({ accounts: [info.text("account")], data: bytesOf(u32(1), info.key("owner")) }),
  authorizeNonce: (info) => ({
    accounts: [info.text("nonceAccount"), info.text("nonceAuthority")],
    data: bytesOf(u32(7), info.key("newAuthorized")),
  }),
  initializeNonce: (info) => ({
    accounts: [info.text("nonceAccount")],
    data: bytesOf(u32(6), info.key("nonceAuthority")),
  }),
  withdrawFromNonce: (info) => ({
    accounts: [info.text("nonceAccount"), info.text("destination"), info.text("nonceAuthority")],
    data: bytesOf(u32(5), u64(info.number("lamports"))),
  }),
  transferWithSeed: (info) => ({
    accounts: [info.text("source"), info.text("sourceBase"), info.text("destination")],
    data: bytesOf(u32(11), u64(info.number("lamports"))),
  }),
  allocate: (info) => ({ accounts: [info.text("account")], data: bytesOf(u32(8), u64(info.number("space"))) }),
  allocateWithSeed: (info) => ({
    accounts: [info.text("account"), info.text("base")],
    data: bytesOf(u32(9), info.key("base"), text(info.text("seed")), u64(info.number("space")), info.key("owner")),
  }),
  assignWithSeed: (info) => ({
    accounts: [info.text("account"), info.text("base")],
    data: bytesOf(u32(10), info.key("base"), text(info.text("seed")), info.key("owner")),
  }),
  createAccountAllowPrefund: (info) => ({
    accounts: [info.text("newAccount")],
    data: bytesOf(u32(13), u64(0n), u64(info.number("space")), info.key("owner")),
  }),
};

const roles: Readonly<Record<string, number>> = { mintTokens: 0, freezeAccount: 1, accountOwner: 2, closeAccount: 3 };
/** Any of Token-2022's others: they are read as one. */
const EXTENSION = 4;

/**
 * Of what moves tokens the accounts are read of somebody's who share them: it shows who signed. `places` are those before
 * the authority.
 */
const moved =
  (number: number, ...places: readonly string[]): Rebuild =>
  (info) => {
    const shared = info.optional("multisigAuthority");
    if (shared === undefined) return { accounts: [], data: new Uint8Array() };
    const named = places.map((place) => info.text(place));
    return { accounts: [...named, shared, ...info.signers()], data: Uint8Array.of(number) };
  };

const token: Readonly<Record<string, Rebuild>> = {
  transfer: moved(3, "source", "destination"),
  transferChecked: moved(12, "source", "mint", "destination"),
  transferCheckedWithFee: moved(26, "source", "mint", "destination"),
  burn: moved(8, "account", "mint"),
  burnChecked: moved(15, "account", "mint"),
  unwrapLamports: moved(45, "source", "destination"),
  withdrawExcessLamports: (info) => ({
    accounts: [
      info.text("source"),
      info.text("destination"),
      info.text("authority", "multisigAuthority"),
      ...info.signers(),
    ],
    data: Uint8Array.of(38),
  }),
  approve: (info) => ({
    accounts: [info.text("source"), info.text("delegate"), info.text("owner", "multisigOwner"), ...info.signers()],
    data: bytesOf(Uint8Array.of(4), u64(info.amount("amount"))),
  }),
  setAuthority: (info) => {
    const to = info.optional("newAuthority");
    const role = roles[info.text("authorityType")] ?? EXTENSION;
    const given = to === undefined ? Uint8Array.of(0) : bytesOf(Uint8Array.of(1), info.key("newAuthority"));
    return {
      accounts: [info.text("account", "mint"), info.text("authority", "multisigAuthority"), ...info.signers()],
      data: bytesOf(Uint8Array.of(6, role), given),
    };
  },
  closeAccount: (info) => ({
    accounts: [info.text("account"), info.text("destination"), info.text("owner", "multisigOwner"), ...info.signers()],
    data: Uint8Array.of(9),
  }),
  approveChecked: (info) => ({
    accounts: [
      info.text("source"),
      info.text("mint"),
      info.text("delegate"),
      info.text("owner", "multisigOwner"),
      ...info.signers(),
    ],
    data: bytesOf(Uint8Array.of(13), u64(info.amount("tokenAmount"))),
  }),
};

const stakeRole = (info: Info) => u32(info.text("authorityType") === "Staker" ? 0 : 1);

/** An option: a byte says whether it is there. */
const option = (bytes: Uint8Array | undefined) =>
  bytes === undefined ? Uint8Array.of(0) : bytesOf(Uint8Array.of(1), bytes);
const numberOption = (number: bigint | undefined) => option(number === undefined ? undefined : u64(number));

/** With and without a check that a new custodian signs. */
const lockup: Rebuild = (info) => {
  const inner = info.inner("lockup");
  const custodian = inner.optional("custodian") === undefined ? undefined : inner.key("custodian");
  const untilSec = numberOption(inner.optionalNumber("unixTimestamp"));
  const untilEpoch = numberOption(inner.optionalNumber("epoch"));
  return {
    accounts: [info.text("stakeAccount"), info.text("custodian")],
    data: bytesOf(u32(6), untilSec, untilEpoch, option(custodian)),
  };
};

const stake: Readonly<Record<string, Rebuild>> = {
  withdraw: (info) => ({
    accounts: [info.text("stakeAccount"), info.text("destination"), info.text("withdrawAuthority")],
    data: bytesOf(u32(4), u64(info.number("lamports"))),
  }),
  setLockup: lockup,
  setLockupChecked: lockup,
  authorize: (info) => ({
    accounts: [info.text("stakeAccount"), info.text("authority")],
    data: bytesOf(u32(1), info.key("newAuthority"), stakeRole(info)),
  }),
  authorizeWithSeed: (info) => ({
    accounts: [info.text("stakeAccount"), info.text("authorityBase")],
    data: bytesOf(u32(8), info.key("newAuthorized"), stakeRole(info)),
  }),
  authorizeChecked: (info) => ({
    accounts: [info.text("stakeAccount"), info.text("authority"), info.text("newAuthority")],
    data: bytesOf(u32(10), stakeRole(info)),
  }),
  authorizeCheckedWithSeed: (info) => ({
    accounts: [info.text("stakeAccount"), info.text("authorityBase"), info.text("newAuthorized")],
    data: bytesOf(u32(11), stakeRole(info)),
  }),
};

const voteRole = (info: Info) => u32(info.text("authorityType") === "Withdrawer" ? 1 : 0);
const voteAccounts = (info: Info, authority: string) => [
  info.text("voteAccount"),
  info.text("clockSysvar"),
  info.text(authority),
];

const vote: Readonly<Record<string, Rebuild>> = {
  withdraw: (info) => ({
    accounts: [info.text("voteAccount"), info.text("destination"), info.text("withdrawAuthority")],
    data: bytesOf(u32(3), u64(info.number("lamports"))),
  }),
  updateValidatorIdentity: (info) => ({
    accounts: [info.text("voteAccount"), info.text("newValidatorIdentity"), info.text("withdrawAuthority")],
    data: u32(4),
  }),
  updateCommission: (info) => ({
    accounts: [info.text("voteAccount"), info.text("withdrawAuthority")],
    data: u32(5),
  }),
  updateCommissionCollector: (info) => ({
    accounts: [info.text("voteAccount"), info.text("newCollector"), info.text("withdrawAuthority")],
    data: u32(17),
  }),
  updateCommissionBps: (info) => ({
    accounts: [info.text("voteAccount"), info.text("withdrawAuthority")],
    data: u32(18),
  }),
  authorize: (info) => ({
    accounts: voteAccounts(info, "authority"),
    data: bytesOf(u32(1), info.key("newAuthority"), voteRole(info)),
  }),
  authorizeChecked: (info) => ({
    accounts: [...voteAccounts(info, "authority"), info.text("newAuthority")],
    data: bytesOf(u32(7), voteRole(info)),
  }),
  authorizeWithSeed: (info) => ({
    accounts: voteAccounts(info, "authorityBaseKey"),
    data: bytesOf(
      u32(10),
      voteRole(info),
      info.key("authorityOwner"),
      text(info.text("authoritySeed")),
      info.key("newAuthority"),
    ),
  }),
  authorizeCheckedWithSeed: (info) => ({
    accounts: [...voteAccounts(info, "authorityBaseKey"), info.text("newAuthority")],
    data: bytesOf(u32(11), voteRole(info)),
  }),
};

const loader: Readonly<Record<string, Rebuild>> = {
  upgrade: (info) => ({
    accounts: [info.text("programDataAccount"), info.text("programAccount")],
    data: u32(3),
  }),
  setAuthority: (info) => ({
    accounts: [info.text("account"), info.text("authority"), ...[info.optional("newAuthority") ?? []].flat()],
    data: u32(4),
  }),
  close: (info) => ({
    accounts: [info.text("account"), info.text("recipient"), info.text("authority")],
    data: u32(5),
  }),
  setAuthorityChecked: (info) => ({
    accounts: [info.text("account"), info.text("authority"), info.text("newAuthority")],
    data: u32(7),
  }),
};

const table: Readonly<Record<string, Rebuild>> = {
  closeLookupTable: (info) => ({
    accounts: [info.text("lookupTableAccount"), info.text("lookupTableAuthority"), info.text("recipient")],
    data: u32(4),
  }),
};
