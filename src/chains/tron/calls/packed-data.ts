import type { CanonicalAddress } from "../../address.ts";
import { hexIn, messageIn } from "../message/message-value.ts";
import type { Operation } from "../operation.ts";
import type { ReadCalls } from "./calls-read.ts";

/** Bytes that an operation forwards. Addresses may begin at any byte. */
export interface PackedData {
  readonly bytes: Uint8Array;
  /** For each address, the number of times that the bytes name it only to revoke its right. */
  readonly losing: ReadonlyMap<CanonicalAddress, number>;
}

/**
 * The data of a call, or the code of a new contract, which ends in the constructor's arguments.
 * @returns undefined for an operation without data.
 */
export function packedData({ value }: Operation, calls: ReadCalls | undefined): PackedData | undefined {
  const created = messageIn(value, "new_contract");
  const data = created === undefined ? hexIn(value, "data") : hexIn(created, "bytecode");
  if (data === "") return undefined;
  const losing = losingBy(calls);
  return { bytes: Buffer.from(data, "hex"), losing: new Map(losing === undefined ? [] : [[losing, 1]]) };
}

/** The spender that loses a right by a call. A spender that the token calls afterwards is excluded. */
export function losingBy(calls: ReadCalls | undefined): CanonicalAddress | undefined {
  if (calls?.call.is !== "token") return undefined;
  const { call } = calls.call;
  if (call.does === "reduce") return call.spender;
  if (call.does === "approve") return call.amount === 0n && call.callsSpender !== true ? call.spender : undefined;
  return call.does === "approve_all" && !call.isGranted ? call.spender : undefined;
}
