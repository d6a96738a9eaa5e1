import { z } from "zod";
import { envelope } from "../envelope.ts";
import { fieldAliases } from "../requests/spelling.ts";

const InstructionKey = z.object({
  pubkey: z.string().describe("base58"),
  isSigner: z.boolean().default(false),
  isWritable: z.boolean().default(false),
});

const Instruction = z.object({
  programId: z.string().describe("base58"),
  keys: z.array(InstructionKey).describe("order matters"),
  data: z.string().optional().describe("base64"),
});

/**
 * One transaction: serialized (`transaction`, `encoding`) or structured (`feePayer`, `instructions`), never both. The
 * matching result echoes `name`.
 */
export const SolanaTransaction = z
  .object({
    transaction: z.string().optional().describe("serialized transaction, V0 or legacy"),
    encoding: z.enum(["base64", "base58"], { error: "must be base64 or base58" }).default("base64"),
    feePayer: z.string().optional().describe("base58 public key paying fees"),
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
          .describe("extra: true simulates each transaction on what those before it left; else each on its own"),
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
  amount_change: z.string().describe("normalized by divisor; negative means the address sent"),
  begin_value: z.string().describe("smallest unit"),
  delta_value: z.string().describe("smallest unit"),
  end_value: z.string().describe("smallest unit"),
  value_usd: z.string(),
});

const BalanceChange = z.looseObject({
  token_address: z.string().describe("native for the native coin"),
  tokenName: z.string(),
  symbol: z.string(),
  divisor: z.string().describe("token decimals"),
  tokenPriceUSD: z.string(),
  change_list: z.array(Change),
});

/** An extra of Weir's service: effects of a simulation beyond balances. Names: `simulationFindings`. */
export const SimulationFinding = z.looseObject({
  name: z.string().describe("stable"),
  description: z.string().describe("for people"),
  account: z.string().optional().describe("what it is about: an account, a mint or a program"),
  gains: z.string().optional().describe("who may act on the account from now on"),
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
