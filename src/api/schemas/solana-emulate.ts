import { z } from "zod";
import { envelope } from "../envelope.ts";
import { fieldAliases } from "../requests/spelling.ts";

const InstructionKey = z.object({
  pubkey: z.string().describe("Public key in Base58."),
  isSigner: z.boolean().default(false),
  isWritable: z.boolean().default(false),
});

const Instruction = z.object({
  programId: z.string().describe("Public key in Base58."),
  keys: z.array(InstructionKey).describe("Accounts of the instruction. The order matters."),
  data: z.string().optional().describe("Data of the instruction in Base64."),
});

/**
 * One transaction: serialized (`transaction`, `encoding`) or structured (`feePayer`, `instructions`), never both. The
 * matching result echoes `name`.
 */
export const SolanaTransaction = z
  .object({
    transaction: z.string().optional().describe("Serialized transaction, V0 or legacy."),
    encoding: z.enum(["base64", "base58"], { error: "must be base64 or base58" }).default("base64"),
    feePayer: z.string().optional().describe("Base58 public key that pays the fees."),
    instructions: z.array(Instruction).optional(),
    name: z.string().optional(),
  })
  .superRefine((item, context) => {
    const structured = item.feePayer !== undefined || item.instructions !== undefined;
    const missing = (field: string) => context.addIssue({ code: "custom", path: [field], message: "field required" });
    if (item.transaction !== undefined) {
      if (!structured) return;
      context.addIssue({ code: "custom", path: [], message: "give either transaction, or feePayer and instructions" });
    } else if (!structured) missing("transaction");
    else if (item.feePayer === undefined) missing("feePayer");
    else if (item.instructions === undefined) missing("instructions");
  })
  .meta({ id: "SolanaTransaction" });
export type SolanaTransaction = z.infer<typeof SolanaTransaction>;

/** Source: docs/decisions/0001-open-points.md, "Solana simulation request". */
export const SolanaEmulateRequest = z
  .object({
    sol_transactions: z
      .array(SolanaTransaction)
      .min(1, "at least 1 item")
      .register(fieldAliases, { names: ["transactions"] }),
    requested_items: z
      .object({
        balance_changes: z.boolean().default(true),
        involved_address_risks: z.boolean().default(false),
        sequence: z
          .boolean()
          .optional()
          .describe(
            "Extra: true simulates each transaction on the state that the earlier ones left. Otherwise each is simulated by itself.",
          ),
      })
      .default({ balance_changes: true, involved_address_risks: false }),
  })
  .meta({ id: "SolanaEmulateRequest" });
export type SolanaEmulateRequest = z.infer<typeof SolanaEmulateRequest>;

/** The `result_code` when every transaction was simulated normally. Any other value means a failed simulation. */
export const ALL_SIMULATED = "000000000";

/** The `risk_level` of an address that is absent from the service's database: unknown, not safe. */
export const UNKNOWN_RISK = -1;

const Change = z.looseObject({
  address: z.string(),
  amount_change: z.string().describe("Amount, normalized by divisor. A negative amount was sent by the address."),
  begin_value: z.string().describe("Amount before the transaction, in the smallest unit."),
  delta_value: z.string().describe("Change of the amount, in the smallest unit."),
  end_value: z.string().describe("Amount after the transaction, in the smallest unit."),
  value_usd: z.string(),
});

const BalanceChange = z.looseObject({
  token_address: z.string().describe("Asset of the change: native for the native coin."),
  tokenName: z.string(),
  symbol: z.string(),
  divisor: z.string().describe("Decimals of the token."),
  tokenPriceUSD: z.string(),
  change_list: z.array(Change),
});

/** An extra of Weir's service: effects of a simulation beyond balances. Names: `simulationFindings`. */
export const SimulationFinding = z.looseObject({
  name: z.string().describe("Stable name of the finding."),
  description: z.string().describe("Text for human readers."),
  account: z.string().optional().describe("Subject of the finding: an account, a mint or a program."),
  gains: z.string().optional().describe("Address that may act on the account from now on."),
});

/** The interface declares no field as required. A decision treats a missing field as unknown. */
export const SimulationResult = z.looseObject({
  from: z.string().nullish(),
  to: z.string().nullish(),
  compute_units_consumed: z.number().int().optional(),
  called_addresses: z.array(z.string()).optional(),
  involved_addresses: z.array(z.string()).optional(),
  involved_addresses_risks: z
    .array(z.looseObject({ address: z.string(), risk_level: z.number().int().min(-1).max(5) }))
    .optional(),
  balance_changes: z.array(BalanceChange).optional(),
  error: z.string().nullish(),
  name: z.string().optional(),
  block_height: z.number().int().optional(),
  request_id: z.string().optional(),
  findings: z.array(SimulationFinding).optional(),
});
export type SimulationResult = z.infer<typeof SimulationResult>;

export const SolanaEmulateResponse = envelope(
  z.looseObject({
    exec_summary: z.looseObject({
      result_code: z.string(),
      result_description: z.string(),
      error_data: z.string().nullable(),
    }),
    results: z.array(SimulationResult),
  }),
).meta({ id: "SolanaEmulateResponse" });
export type SolanaEmulateResponse = z.infer<typeof SolanaEmulateResponse>;
