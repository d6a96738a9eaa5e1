import type { Operation } from "../contract/operations.ts";
import type { RouteName, SentTo } from "../contract/routes.ts";
import { HARMLESS_QUESTION } from "../worker/harmless-question.ts";

/** One question, as a request is sent. */
type Asked = { readonly [N in RouteName]: { readonly route: N; readonly request: SentTo<N> } }[RouteName];

const NOBODY = HARMLESS_QUESTION.address;
/** Tether on Ethereum: a token that every service knows. */
const TOKEN = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const INCINERATOR = "1nc1nerator11111111111111111111111111111111";
/** The addresses of 20 zero bytes, and of 19 before a one. */
const [TRON_ZERO, TRON_ONE] = [`41${"0".repeat(40)}`, `41${"0".repeat(39)}1`];

/** Operations beside address poisoning, which `HARMLESS_QUESTION` is about. */
export type FurtherOperation = Exclude<Operation, "address-poisoning">;

/** What shows whether an operation answers: a known token, and payments of nothing between addresses without an owner. */
export const operationQuestions: Readonly<Record<FurtherOperation, Asked>> = {
  "token-security": { route: "tokenSecurity", request: { chainId: "1", address: TOKEN } },
  "address-classify": { route: "classifyQuery", request: { chain_id: "1", address: NOBODY } },
  "evm-transaction-security": {
    route: "evmTransactionSecurity",
    request: { chain_id: "1", from: NOBODY, to: NOBODY, value: "0", data: "0x" },
  },
  "transaction-security": {
    route: "transactionSecurity",
    request: {
      tron_transactions: [
        {
          raw_data: {
            contract: [
              {
                type: "TransferContract",
                parameter: { value: { owner_address: TRON_ZERO, to_address: TRON_ONE, amount: 1 } },
              },
            ],
          },
        },
      ],
    },
  },
  "solana-emulate": {
    route: "solanaEmulate",
    request: {
      sol_transactions: [
        {
          feePayer: INCINERATOR,
          instructions: [
            {
              programId: "11111111111111111111111111111111",
              keys: [
                { pubkey: INCINERATOR, isSigner: true, isWritable: true },
                { pubkey: INCINERATOR, isSigner: false, isWritable: true },
              ],
              // A transfer of 0 lamports.
              data: "AgAAAAAAAAAAAAAA",
            },
          ],
        },
      ],
    },
  },
};
