import { type CanonicalAddress, parseAddress } from "../../chains/address.ts";
import { readArguments } from "../../chains/evm/abi/abi-reader.ts";
import { readSignature } from "../../chains/evm/abi/abi-type.ts";
import { ZERO_ADDRESS } from "../../chains/evm/calls/token-calls.ts";
import type { EvmEventLog } from "../evm/node.ts";
import type { Grant } from "./execution.ts";

/** A token movement, as the token's contract logged it. A contract may log movements that did not happen. */
export interface EvmTokenMove {
  readonly token: CanonicalAddress;
  readonly standard: "erc20" | "erc721" | "erc1155";
  readonly from: CanonicalAddress;
  readonly to: CanonicalAddress;
  readonly id: bigint | undefined;
  readonly amount: bigint;
}

/** Keccak-256 of each event's signature. The unit test hashes the signatures. */
export const eventTopics = {
  "Transfer(address,address,uint256)": "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
  "TransferSingle(address,address,address,uint256,uint256)":
    "c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62",
  "TransferBatch(address,address,address,uint256[],uint256[])":
    "4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb",
  "Approval(address,address,uint256)": "8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925",
  "ApprovalForAll(address,address,bool)": "17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31",
  "Approval(address,address,address,uint160,uint48)":
    "da9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b",
  "Permit(address,address,address,uint160,uint48,uint48)":
    "c6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec",
} as const;

const known: ReadonlySet<string> = new Set(Object.values(eventTopics));

/** The logs that may show movements or approvals. A contract may write as many other logs as gas allows. */
export function tellingLogs(logs: readonly EvmEventLog[]): readonly EvmEventLog[] {
  return logs.filter(({ topics: [topic = ""] }) => known.has(topic));
}

const single = readSignature("x(uint256,uint256)").inputs;
const batch = readSignature("x(uint256[],uint256[])").inputs;

/**
 * Every token movement in the logs, in their order. Arguments that are not indexed are in the data. Old tokens index
 * none.
 */
export function movesIn(logs: readonly EvmEventLog[]): readonly EvmTokenMove[] {
  return logs.flatMap((log): readonly EvmTokenMove[] => {
    const { topics, data } = log;
    const token = addressIn(log.contract.slice(2).padStart(64, "0"));
    const words = [...topics.slice(1), ...(data.match(/.{64}/g) ?? [])];
    if (topics[0] === eventTopics["Transfer(address,address,uint256)"]) {
      const [from, to, amount] = [addressIn(words[0]), addressIn(words[1]), numberIn(words[2])];
      if (token === undefined || from === undefined || to === undefined || amount === undefined) return [];
      if (topics.length === 4) return [{ token, standard: "erc721", from, to, id: amount, amount: 1n }];
      return [{ token, standard: "erc20", from, to, id: undefined, amount }];
    }
    const [from, to] = [addressIn(topics[2]), addressIn(topics[3])];
    if (token === undefined || from === undefined || to === undefined) return [];
    return itemsOf(topics[0], data).map(([id, amount]) => ({ token, standard: "erc1155", from, to, id, amount }));
  });
}

function itemsOf(topic: string | undefined, data: string): readonly (readonly [id: bigint, amount: bigint])[] {
  if (topic === eventTopics["TransferSingle(address,address,address,uint256,uint256)"]) {
    const [id, amount] = readArguments(data, single) ?? [];
    return typeof id === "bigint" && typeof amount === "bigint" ? [[id, amount]] : [];
  }
  if (topic !== eventTopics["TransferBatch(address,address,address,uint256[],uint256[])"]) return [];
  const [ids, amounts] = readArguments(data, batch) ?? [];
  if (typeof ids !== "object" || !("items" in ids) || typeof amounts !== "object" || !("items" in amounts)) return [];
  return ids.items.flatMap((id, i): readonly (readonly [bigint, bigint])[] => {
    const amount = amounts.items[i];
    return typeof id === "bigint" && typeof amount === "bigint" ? [[id, amount]] : [];
  });
}

/** An approval in the logs. `isAllowance` is true when the contract tracks the remaining amount (ERC-20). */
export interface WrittenGrant extends Grant {
  readonly isAllowance: boolean;
}

/** Every approval in the logs, in their order, without revocations. */
export function grantsIn(logs: readonly EvmEventLog[]): readonly WrittenGrant[] {
  return logs.flatMap(({ contract, topics, data }): readonly WrittenGrant[] => {
    const [topic] = topics;
    const words = [...topics.slice(1), ...(data.match(/.{64}/g) ?? [])];
    const [giver, second, third] = [addressIn(words[0]), addressIn(words[1]), addressIn(words[2])];
    const token = addressIn(contract.slice(2).padStart(64, "0"));
    if (token === undefined || giver === undefined || second === undefined || second === ZERO_ADDRESS) return [];
    const amount = numberIn(words[2]) ?? 0n;
    switch (topic) {
      case eventTopics["Approval(address,address,uint256)"]: {
        const isItem = topics.length === 4;
        return amount === 0n && !isItem ? [] : [{ token, giver, spender: second, amount, isAllowance: !isItem }];
      }
      case eventTopics["ApprovalForAll(address,address,bool)"]:
        return amount === 0n ? [] : [{ token, giver, spender: second, amount: undefined, isAllowance: false }];
      case eventTopics["Approval(address,address,address,uint160,uint48)"]:
      case eventTopics["Permit(address,address,address,uint160,uint48,uint48)"]: {
        const units = numberIn(words[3]) ?? 0n;
        if (third === undefined || third === ZERO_ADDRESS || units === 0n) return [];
        return [{ token: second, giver, spender: third, amount: units, isAllowance: false }];
      }
      default:
        return [];
    }
  });
}

function numberIn(word: string | undefined): bigint | undefined {
  return word?.length === 64 ? BigInt(`0x${word}`) : undefined;
}

function addressIn(word: string | undefined): CanonicalAddress | undefined {
  if (word?.length !== 64 || !word.startsWith("0".repeat(24))) return undefined;
  const parsed = parseAddress("evm", `0x${word.slice(24)}`);
  return parsed.ok ? parsed.value : undefined;
}
