import type { ResponseOf } from "../../../src/contract/routes.ts";

type Answer = ResponseOf<"solanaEmulate">;
type Fields = Readonly<Record<string, unknown>>;

/** Fields of each table of the interface. Source: service-interface, "Solana simulation request" and "... response". */
const requestedItems = ["balance_changes", "involved_address_risks"];
const transactionFields = ["transaction", "encoding", "name", "feePayer", "instructions"];
const summaryFields = ["result_code", "result_description", "error_data"];
const resultFields = [
  "from",
  "to",
  "compute_units_consumed",
  "called_addresses",
  "involved_addresses",
  "involved_addresses_risks",
  "balance_changes",
  "error",
  "name",
  "block_height",
  "request_id",
];
const balanceFields = ["token_address", "tokenName", "symbol", "divisor", "tokenPriceUSD", "change_list"];
const changeFields = ["address", "amount_change", "begin_value", "delta_value", "end_value", "value_usd"];

/** The request as a service reads it that knows the interface alone: it drops every other field, `sequence` among them. */
export function exactSolanaRequest<R extends object>(request: R): R {
  const { sol_transactions, transactions, requested_items } = request as Fields;
  const items = (sol_transactions ?? transactions) as readonly Fields[];
  return {
    sol_transactions: items.map((item) => only(item, transactionFields)),
    ...(requested_items === undefined ? {} : { requested_items: only(requested_items as Fields, requestedItems) }),
  } as unknown as R;
}

/** The answer without any field that is in no table of the interface. */
export function exactSolanaAnswer({ code, status, data }: Answer): Answer {
  const results = data.results.map((result) => ({
    ...only(result, resultFields),
    ...(result.involved_addresses_risks === undefined
      ? {}
      : {
          involved_addresses_risks: result.involved_addresses_risks.map((each) =>
            only(each, ["address", "risk_level"]),
          ),
        }),
    ...(result.balance_changes === undefined
      ? {}
      : {
          balance_changes: result.balance_changes.map((token) => ({
            ...only(token, balanceFields),
            change_list: token.change_list.map((change) => only(change, changeFields)),
          })),
        }),
  }));
  return { code, status, data: { exec_summary: only(data.exec_summary, summaryFields), results } } as Answer;
}

function only(value: object, fields: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(value).filter(([name]) => fields.includes(name)));
}
