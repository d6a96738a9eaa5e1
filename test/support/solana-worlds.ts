import { isDeepStrictEqual } from "node:util";
import type { AccountState } from "../../src/chains/solana/accounts/account-state.ts";
import { readMessageAlone } from "../../src/chains/solana/message/message.ts";
import type { Vector } from "../fixtures/solana/vectors.ts";
import * as w from "../fixtures/solana/world.ts";

/** Vectors that can run over the same accounts. */
export interface World {
  readonly vectors: Vector[];
  readonly accounts: Map<string, AccountState>;
}

/** Groups vectors with compatible accounts: each vector finds exactly the accounts that it would find alone. */
export function worldsOf(vectors: readonly Vector[]): readonly World[] {
  const worlds: (World & { readonly named: Map<string, AccountState | undefined> })[] = [];
  for (const vector of vectors) {
    const own = w.world(vector.accounts);
    const names = namesIn(vector);
    const getsAlong = ({ named }: { readonly named: Map<string, AccountState | undefined> }) =>
      names.every((name) => !named.has(name) || isDeepStrictEqual(named.get(name), own.get(name)));
    let world = worlds.find(getsAlong);
    if (world === undefined) {
      world = { vectors: [], accounts: new Map(), named: new Map() };
      worlds.push(world);
    }
    world.vectors.push(vector);
    for (const name of names) {
      const account = own.get(name);
      world.named.set(name, account);
      if (account !== undefined) world.accounts.set(name, account);
    }
  }
  return worlds;
}

/** The bytes of its message. */
export function messageOf(vector: Vector): Uint8Array {
  return vector.message ?? w.messageBytes(vector.instructions, vector.form);
}

function namesIn(vector: Vector): readonly string[] {
  const message = readMessageAlone(messageOf(vector));
  if (!message.ok) throw new Error(`${vector.name}: ${message.detail}`);
  const tables = Object.entries(vector.form?.tables ?? {}).flatMap(([table, accounts]) => [table, ...accounts]);
  const given = (vector.accounts ?? []).map(([address]) => address);
  return [...new Set([...message.value.staticKeys, ...given, ...tables])];
}
