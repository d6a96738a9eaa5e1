/**
 * Writes the accounts of the Solana part of the demo, in the form of `solana account --output json`, and prints its
 * events. Every key except those of programs is SHA-256 of "weir demo solana " and a name, so no private key exists.
 * Run: node tools/make/make-solana-demo.ts
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { type Address, createNoopSigner, getAddressDecoder, type Instruction, none, some } from "@solana/kit";
import { getTransferSolInstruction } from "@solana-program/system";
import {
  AccountState,
  AuthorityType,
  getMintEncoder,
  getSetAuthorityInstruction,
  getTokenEncoder,
  getTransferCheckedInstruction,
} from "@solana-program/token";
import { compileMessage } from "../../src/chains/solana/message/compile-message.ts";
import { programs } from "../../src/chains/solana/programs.ts";
import { sha256 } from "../../src/kernel/hash.ts";

const key = (name: string): Address =>
  getAddressDecoder().decode(Buffer.from(sha256(`weir demo solana ${name}`), "hex"));
const [user, friend, thief, gold, silver] = ["user", "friend", "thief", "gold", "silver"].map(key) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const tokens = (of: string, owner: string): Address => key(`${of} of ${owner}`);
const signer = createNoopSigner(user);
const SOL = 1_000_000_000n;

const account = (pubkey: Address, owner: string, lamports: bigint, data: Uint8Array = new Uint8Array()) => ({
  pubkey,
  account: {
    lamports: Number(lamports),
    data: [Buffer.from(data).toString("base64"), "base64"],
    owner,
    executable: false,
    rentEpoch: 0,
    space: data.length,
  },
});

const mint = (pubkey: Address, decimals: number) =>
  account(
    pubkey,
    programs.token,
    1_461_600n,
    Uint8Array.from(
      getMintEncoder().encode({
        mintAuthority: none(),
        supply: 1_000_000_000_000n,
        decimals,
        isInitialized: true,
        freezeAuthority: none(),
      }),
    ),
  );

const holding = (pubkey: Address, of: Address, owner: Address, amount: bigint) =>
  account(
    pubkey,
    programs.token,
    2_039_280n,
    Uint8Array.from(
      getTokenEncoder().encode({
        mint: of,
        owner,
        amount,
        delegate: none(),
        state: AccountState.Initialized,
        isNative: none(),
        delegatedAmount: 0n,
        closeAuthority: none(),
      }),
    ),
  );

const snapshot = {
  slot: 300_000_000,
  unix_timestamp: 1_735_689_600,
  accounts: [
    account(user, programs.system, 10n * SOL),
    account(friend, programs.system, 2n * SOL),
    mint(gold, 6),
    mint(silver, 2),
    holding(tokens("gold", "user"), gold, user, 1_250_000_000n),
    holding(tokens("silver", "user"), silver, user, 80_000n),
    holding(tokens("gold", "friend"), gold, friend, 0n),
    holding(tokens("gold", "thief"), gold, thief, 0n),
    holding(tokens("silver", "thief"), silver, thief, 0n),
  ],
};

function serialized(instructions: readonly Instruction[]): { readonly transaction: string } {
  const named = instructions.map(({ programAddress, accounts = [], data = new Uint8Array() }) => ({
    program: programAddress,
    accounts: accounts.map(({ address, role }) => ({ address, isSigner: role >= 2, isWritable: role % 2 === 1 })),
    data: Uint8Array.from(data),
  }));
  const message = compileMessage(user, named);
  if (!message.ok) throw new Error(message.detail);
  const { signers, bytes } = message.value;
  const wire = Uint8Array.from([signers, ...new Uint8Array(64 * signers), ...bytes]);
  return { transaction: Buffer.from(wire).toString("base64") };
}

const pay = (destination: Address, amount: bigint) =>
  getTransferSolInstruction({ source: signer, destination, amount });
const send = (of: "gold" | "silver", to: string, amount: bigint) =>
  getTransferCheckedInstruction({
    source: tokens(of, "user"),
    mint: of === "gold" ? gold : silver,
    destination: tokens(of, to),
    authority: signer,
    amount,
    decimals: of === "gold" ? 6 : 2,
  });
const giveAway = getSetAuthorityInstruction({
  owned: tokens("gold", "user"),
  owner: signer,
  authorityType: AuthorityType.AccountOwner,
  newAuthority: some(thief),
});

const event = (id: string, instructions: readonly Instruction[], ref: string) =>
  JSON.stringify({
    id,
    type: "transaction",
    chain_id: "solana",
    transaction: serialized(instructions),
    user_addresses: [friend],
    ref,
  });

const drain = [send("gold", "thief", 1_250_000_000n), send("silver", "thief", 80_000n), pay(thief, 9_900_000_000n)];
const folder = path.join(import.meta.dirname, "..", "..", "demo");
await writeFile(path.join(folder, "solana-accounts.json"), `${JSON.stringify(snapshot, undefined, 1)}\n`);
console.log(
  event(
    "solana-payment",
    [send("gold", "friend", 25_000_000n), pay(friend, SOL)],
    "25 of a token and 1 SOL to a friend",
  ),
);
console.log(event("solana-drain", drain, "everything leaves at once, and nothing comes back"));
console.log(event("solana-authority-theft", [giveAway], "no balance changes: the token account itself is given away"));
