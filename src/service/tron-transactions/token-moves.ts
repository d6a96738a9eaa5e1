import { type CanonicalAddress, parseAddress } from "../../chains/address.ts";
import { ZERO_ADDRESS } from "./recognized-address.ts";
import type { TronEventLog } from "./tron-node.ts";

/** A token movement, as the token's contract logged it. A contract may log movements that did not happen. */
export interface TronTokenMove {
  readonly token: CanonicalAddress;
  readonly from: CanonicalAddress;
  readonly to: CanonicalAddress;
  /** Raw units of TRC-20, or the item id of TRC-721. Undefined where an event gives both, as in TRC-1155. */
  readonly amount: bigint | undefined;
  readonly isItem: boolean;
}

/** A right to take an owner's tokens, as the token's contract logged it. */
export interface TokenGrant {
  readonly token: CanonicalAddress;
  readonly giver: CanonicalAddress;
  readonly spender: CanonicalAddress;
  /** 0 for a revocation. */
  readonly amount: bigint;
}

/** Keccak-256 of each event's signature. The unit test hashes the signatures. */
export const eventTopics = {
  Transfer: "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
  TransferSingle: "c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62",
  TransferBatch: "4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb",
  Approval: "8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925",
  ApprovalForAll: "17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31",
} as const;

/** Every token movement in the logs, in their order. */
export function movesIn(logs: readonly TronEventLog[]): readonly TronTokenMove[] {
  return logs.flatMap((log): TronTokenMove[] => {
    const { contract: token, topics, data } = log;
    const [topic] = topics;
    // Old tokens do not index the addresses, and TRC-721 also indexes the item. Arguments that are not indexed follow
    // in the data.
    const words = [...topics.slice(1), ...wordsOf(data)];
    if (topic === eventTopics.Transfer) {
      const [from, to] = [addressIn(words[0]), addressIn(words[1])];
      const amount = words[2] === undefined ? undefined : BigInt(`0x${words[2]}`);
      return from === undefined || to === undefined ? [] : [{ token, from, to, amount, isItem: topics.length === 4 }];
    }
    if (topic === eventTopics.TransferSingle || topic === eventTopics.TransferBatch) {
      const [from, to] = [addressIn(words[1]), addressIn(words[2])];
      return from === undefined || to === undefined ? [] : [{ token, from, to, amount: undefined, isItem: true }];
    }
    return [];
  });
}

/** Every approval in the logs, in their order. */
export function grantsIn(logs: readonly TronEventLog[]): readonly TokenGrant[] {
  return logs.flatMap(({ contract: token, topics, data }): TokenGrant[] => {
    if (topics[0] !== eventTopics.Approval && topics[0] !== eventTopics.ApprovalForAll) return [];
    const words = [...topics.slice(1), ...wordsOf(data)];
    const [giver, spender] = [addressIn(words[0]), addressIn(words[1])];
    if (giver === undefined || spender === undefined) return [];
    // An approval of a single TRC-721 item for the zero address is a revocation.
    const isItem = topics[0] === eventTopics.Approval && topics.length === 4;
    const said = words[2] === undefined ? 1n : BigInt(`0x${words[2]}`);
    return [{ token, giver, spender, amount: isItem ? BigInt(spender !== ZERO_ADDRESS) : said }];
  });
}

const WORD_DIGITS = 64;

function wordsOf(data: string): readonly string[] {
  return data.match(/[0-9a-f]{64}/g) ?? [];
}

function addressIn(word: string | undefined): CanonicalAddress | undefined {
  if (word?.length !== WORD_DIGITS || !word.startsWith("0".repeat(24))) return undefined;
  const parsed = parseAddress("tron", `41${word.slice(24)}`);
  return parsed.ok ? parsed.value : undefined;
}
