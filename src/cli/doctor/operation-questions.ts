import type { ServiceOperation } from "../../api/operations.ts";
import { HEALTH_PROBE } from "../../worker/rate-limit/gate/health-probe.ts";

const NOBODY = HEALTH_PROBE.address;
/** An address that resembles it in nothing. */
const USER = "0x5aeda56215b167893e80b4fe645ba6d5bab767de";
/** An address without an owner, too. It shares ten characters at each end with `USER`. */
const IMITATION = "0x5aeda56215c093e5f1d274b68a30cbd5bab767de";
/** Tether on Ethereum, a token that every service knows. */
const TOKEN = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const INCINERATOR = "1nc1nerator11111111111111111111111111111111";
/** The addresses of 20 zero bytes, and of 19 zero bytes before a one. */
const [TRON_ZERO, TRON_ONE] = [`41${"0".repeat(40)}`, `41${"0".repeat(39)}1`];

/** The question that shows whether a service detects lookalikes: an imitation of its user. */
export const lookalikeQuestion: Readonly<Record<string, unknown>> = { chain: "1", address: IMITATION, users: [USER] };

/**
 * The questions that show whether an operation answers, in the form of `putQuestion`. They use addresses without an
 * owner, a known token, and payments of nothing.
 */
export const operationQuestions: Readonly<Record<ServiceOperation, Readonly<Record<string, unknown>>>> = {
  "address-poisoning": { chain: "1", address: NOBODY, users: [USER] },
  "token-security": { chain: "1", address: TOKEN },
  "address-classify": { chain: "1", address: NOBODY },
  "evm-transaction-security": { chain: "1", from: NOBODY, to: NOBODY, value: "0", data: "0x" },
  "transaction-security": {
    transaction: {
      raw_data: {
        contract: [
          {
            type: "TransferContract",
            parameter: { value: { owner_address: TRON_ZERO, to_address: TRON_ONE, amount: 1 } },
          },
        ],
      },
    },
  },
  "solana-emulate": {
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
    requested_items: { balance_changes: true, involved_address_risks: true },
  },
};
