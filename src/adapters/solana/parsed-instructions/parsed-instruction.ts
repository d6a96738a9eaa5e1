import { isStandardProgram, isTokenProgram, programs } from "../../../chains/solana/programs.ts";
import { field, unreadable } from "../node/account-json.ts";
import { bytesOf } from "./bytes.ts";
import { loader } from "./loader-stories.ts";
import { table } from "./lookup-table-stories.ts";
import { plainTypes } from "./plain-types.ts";
import { stake } from "./stake-stories.ts";
import { type Rebuilds, type Rebuilt, Story } from "./story.ts";
import { system } from "./system-stories.ts";
import { token } from "./token-stories.ts";
import { vote } from "./vote-stories.ts";

/** Longest type that is repeated, characters. The types of Agave have 52 at most. */
const MAX_TYPE_LENGTH = 64;
/** Programs with parsed instructions that are plain text. */
const memos: ReadonlySet<string> = new Set([programs.memo, programs.oldMemo]);

/**
 * The instruction behind a parsed instruction of a node. An instruction that changes the rights over an account is
 * rebuilt as bytes, with its accounts in order. An instruction without relevant content keeps only its program. An
 * unknown type is marked as unread: nodes learn new types before Weir does. Source: Agave, transaction-status,
 * parse_system.rs, parse_token.rs, parse_stake.rs, parse_vote.rs, parse_bpf_loader.rs, parse_address_lookup_table.rs.
 */
export function instructionOf(program: string, parsed: unknown): Rebuilt {
  if (!isStandardProgram(program) || memos.has(program)) return plain();
  const type = field(parsed, "type");
  if (typeof type !== "string") throw unreadable("an inner instruction's type");
  const info = field(parsed, "info");
  if (isTokenProgram(program) && type === "batch") return batch(program, field(info, "instructions"));
  if (isTokenProgram(program) && /confidential/i.test(type)) return { accounts: [], data: Uint8Array.of(hiding(type)) };
  const rebuild = Object.entries(tableOf(program) ?? {}).find(([name]) => name === type)?.[1];
  if (rebuild !== undefined) return rebuild(new Story(info));
  return plainTypes.get(program)?.has(type) ? plain() : { ...plain(), unread: type.slice(0, MAX_TYPE_LENGTH) };
}

function plain(): Rebuilt {
  return { accounts: [], data: new Uint8Array() };
}

/**
 * Several instructions in one, each after the numbers of its accounts and bytes. Instructions without relevant content
 * are left out. The first instruction of an unknown type gives the batch its `unread` type.
 */
function batch(program: string, stories: unknown): Rebuilt {
  if (!Array.isArray(stories)) throw unreadable("an inner batch");
  const all = stories.map((story) => instructionOf(program, story));
  const parts = all.filter(({ data }) => data.length > 0);
  const unread = all.find((part) => part.unread !== undefined)?.unread;
  return {
    ...(unread === undefined ? {} : { unread }),
    accounts: parts.flatMap(({ accounts }) => accounts),
    data: bytesOf(
      Uint8Array.of(255),
      ...parts.flatMap(({ accounts, data }) => [Uint8Array.of(accounts.length, data.length), data]),
    ),
  };
}

/**
 * The instruction numbers by which Token-2022 hides amounts: in mints, in fees and in transfers. Only their names tell
 * them apart.
 */
function hiding(type: string): number {
  if (/^confidential(Mint|Burn)$|ConfidentialMintBurn/.test(type)) return 42;
  return /TransferFee|Withheld/.test(type) ? 37 : 27;
}

function tableOf(program: string): Rebuilds | undefined {
  if (program === programs.system) return system;
  if (program === programs.stake) return stake;
  if (program === programs.vote) return vote;
  if (program === programs.upgradeableLoader) return loader;
  if (program === programs.addressLookupTable) return table;
  return isTokenProgram(program) ? token : undefined;
}
