import { base58Bytes } from "../../../chains/solana/key.ts";
import type { InnerInstruction } from "../../../service/solana-transactions/simulator.ts";
import { field, unreadable, wholeNumber } from "../node/account-json.ts";
import { instructionOf } from "./parsed-instruction.ts";

/**
 * The inner instructions of each of `count` instructions, as a node writes them. An inner instruction is raw, with
 * accounts by name, or parsed (`parsed`). For a parsed one, the bytes are rebuilt as far as Weir reads them.
 */
export function readInner(
  json: unknown,
  count: number,
  accounts: readonly (string | undefined)[],
): readonly (readonly InnerInstruction[])[] {
  const inner: InnerInstruction[][] = Array.from({ length: count }, () => []);
  if (json === null || json === undefined) return inner;
  if (!Array.isArray(json)) throw unreadable("inner instructions");
  const placeOf = (address: unknown) => {
    const place = accounts.indexOf(String(address));
    if (place === -1) throw unreadable("an inner instruction's account");
    return place;
  };
  for (const group of json) {
    const under = inner[Number(wholeNumber(field(group, "index")) ?? -1n)];
    const instructions = field(group, "instructions");
    if (under === undefined || !Array.isArray(instructions)) throw unreadable("inner instructions");
    under.push(...instructions.map((each) => readOne(each, placeOf)));
  }
  return inner;
}

function readOne(json: unknown, placeOf: (address: unknown) => number): InnerInstruction {
  const program = field(json, "programId");
  const parsed = field(json, "parsed");
  if (parsed !== undefined) {
    const { accounts, ...rest } = instructionOf(String(program), parsed);
    return { program: placeOf(program), accounts: Uint8Array.from(accounts.map(placeOf)), ...rest };
  }
  const listed = field(json, "accounts");
  const text = field(json, "data");
  const data = text === "" ? new Uint8Array() : base58Bytes(String(text));
  if (!Array.isArray(listed) || data === undefined) throw unreadable("an inner instruction");
  if (program !== undefined) {
    return { program: placeOf(program), accounts: Uint8Array.from(listed.map(placeOf)), data };
  }
  const place = wholeNumber(field(json, "programIdIndex"));
  if (place === undefined) throw unreadable("an inner instruction's program");
  return { program: Number(place), accounts: Uint8Array.from(listed.map(Number)), data };
}
