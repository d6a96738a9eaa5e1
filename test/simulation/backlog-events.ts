import { createHash } from "node:crypto";
import { base58, createBase58check } from "@scure/base";

const sha256 = (text: string) => createHash("sha256").update(text).digest();
const tronText = createBase58check((data: Uint8Array) => createHash("sha256").update(data).digest());
const evm = (role: string, n: number) => `0x${sha256(`${role} ${n}`).toString("hex").slice(0, 40)}`;
const solana = (role: string, n: number) => base58.encode(sha256(`${role} ${n}`));
const tron = (role: string, n: number) =>
  tronText.encode(Uint8Array.of(0x41, ...sha256(`${role} ${n}`).subarray(0, 20)));
const word = (hex: string) => hex.slice(2).padStart(64, "0");

/**
 * Deposits with a token, and transactions of each family. One event in six is about the same subject as the other
 * events of its kind.
 */
const kinds = [
  (n: number) => deposit(evm("target", n), evm("user", n), evm("token", n)),
  (n: number) => deposit(evm("target", n), evm("user", n), evm("token", -1)),
  () => deposit(evm("target", -1), evm("user", -1), evm("token", -1)),
  (n: number) => ({
    type: "transaction",
    chain_id: "1",
    checks: ["evm-security", "token-security"],
    transaction: {
      from: evm("user", n),
      to: evm("token", n % 2 === 0 ? n : -1),
      data: `0xa9059cbb${word(evm("target", n))}${word("0x05")}`,
    },
  }),
  (n: number) => {
    const value = { owner_address: tron("user", n), to_address: tron("target", n), amount: n + 1 };
    const contract = [{ type: "TransferContract", parameter: { value } }];
    const raw_data = { contract, timestamp: n + 1 };
    return { type: "transaction", chain_id: "tron", transaction: { visible: true, raw_data } };
  },
  (n: number) => {
    const [payer, receiver] = [solana("user", n), solana("target", n)];
    const keys = [
      { pubkey: payer, isSigner: true, isWritable: true },
      { pubkey: receiver, isSigner: false, isWritable: true },
    ];
    const data = Buffer.from([2, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]).toString("base64");
    const instruction = { programId: "11111111111111111111111111111111", keys, data };
    const transaction = { feePayer: payer, instructions: [instruction] };
    return { type: "transaction", chain_id: "solana", user_addresses: [payer], transaction };
  },
];

function deposit(address: string, user: string, token: string) {
  return { type: "address", chain_id: "1", address, user_addresses: [user], token_address: token };
}

/** The `n`-th event of a backlog. */
export function backlogEvent(n: number): object {
  return { ...kinds[n % kinds.length]?.(n), id: `b${n}` };
}
