import { isTokenProgram, programs } from "../../chains/solana/programs.ts";
import { field, unreadable } from "./account-json.ts";
import { bytesOf } from "./stories/bytes.ts";
import { loader } from "./stories/loader-stories.ts";
import { table } from "./stories/lookup-table-stories.ts";
import { stake } from "./stories/stake-stories.ts";
import { type Rebuilds, type Rebuilt, Story } from "./stories/story.ts";
import { system } from "./stories/system-stories.ts";
import { token } from "./stories/token-stories.ts";
import { vote } from "./stories/vote-stories.ts";

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
  return tableOf(program)?.[type]?.(new Story(info)) ?? { accounts: [], data: new Uint8Array() };
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

function tableOf(program: string): Rebuilds | undefined {
  if (program === programs.system) return system;
  if (program === programs.stake) return stake;
  if (program === programs.vote) return vote;
  if (program === programs.upgradeableLoader) return loader;
  if (program === programs.addressLookupTable) return table;
  return isTokenProgram(program) ? token : undefined;
}
