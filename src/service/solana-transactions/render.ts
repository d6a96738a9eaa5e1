import type { SimulationResult, SolanaEmulateRequest } from "../../api/schemas/solana-emulate.ts";
import { parseAddress } from "../../chains/address.ts";
import { findChain } from "../../chains/registry.ts";
import { amountText } from "../../chains/solana/amount-text.ts";
import { errorText } from "../../chains/solana/message/transaction-error.ts";
import { type Change, NATIVE, type TokenChanges } from "../../chains/solana/rules/token-changes.ts";
import type { AddressLabel } from "../../labels/label.ts";
import type { LabelBook } from "../labels/label-book.ts";
import type { JudgedTransaction } from "./judge.ts";
import { riskLevel } from "./risk-level.ts";
import { type PriceOf, valueText } from "./value-text.ts";

type Balance = NonNullable<SimulationResult["balance_changes"]>[number];

/** The parts of the result that the request asks for, and the name of the transaction. */
export interface Wanted {
  readonly items: SolanaEmulateRequest["requested_items"];
  readonly name: string | undefined;
  readonly requestId: string;
  readonly priceOf: PriceOf;
}

/**
 * Renders one result as the interface spells it. For a failed simulation the lists are empty, but the findings remain.
 */
export function render(
  judged: JudgedTransaction,
  { items, name, requestId, priceOf }: Wanted,
  labels: LabelBook,
): SimulationResult {
  const { feePayer, firstProgram, simulation, programs, changes, findings, signers } = judged;
  const failed = simulation.error !== undefined;
  const holders = changes.flatMap((token) => token.changes.map(({ holder }) => holder));
  const involved = failed ? [] : [...new Set([feePayer, ...programs, ...holders])];
  const risk = (address: string) => ({ address, risk_level: riskLevel(address, signers, labels) });
  return {
    from: feePayer,
    to: firstProgram ?? null,
    compute_units_consumed: failed ? 0 : simulation.computeUnits,
    called_addresses: failed ? [] : [...programs],
    involved_addresses: involved,
    ...(items.involved_address_risks ? { involved_addresses_risks: involved.map(risk) } : {}),
    balance_changes:
      failed || !items.balance_changes ? [] : changes.map((token) => renderToken(token, labels, priceOf(token.mint))),
    error: simulation.error === undefined ? null : errorText(simulation.error),
    ...(name === undefined ? {} : { name }),
    block_height: simulation.slot,
    request_id: requestId,
    findings: findings.map((finding) => ({ ...finding })),
  };
}

/** Without a price, values stay empty. Without the mint, the decimals of a token are unknown. */
function renderToken({ mint, decimals, changes }: TokenChanges, labels: LabelBook, price: string | undefined): Balance {
  const isNative = mint === NATIVE;
  const label = isNative ? undefined : tokenOf(mint, labels);
  return {
    token_address: mint,
    tokenName: isNative ? "Solana" : (label?.fullName ?? ""),
    symbol: isNative ? "SOL" : (label?.name ?? ""),
    divisor: decimals === undefined ? "" : String(decimals),
    tokenPriceUSD: price ?? "",
    change_list: changes.map((change) => renderChange(change, decimals, price)),
  };
}

function renderChange(
  { holder, begin, end }: Change,
  decimals: number | undefined,
  price: string | undefined,
): Balance["change_list"][number] {
  return {
    address: holder,
    amount_change: decimals === undefined ? "" : amountText(end - begin, decimals),
    begin_value: String(begin),
    delta_value: String(end - begin),
    end_value: String(end),
    value_usd: decimals === undefined || price === undefined ? "" : valueText(end - begin, decimals, price),
  };
}

/** The label of a token. The mint's own name is not used, because any issuer can write it. */
function tokenOf(mint: string, labels: LabelBook): AddressLabel | undefined {
  const chain = findChain("solana");
  const address = parseAddress("solana", mint);
  return chain !== undefined && address.ok ? labels.tokenOf(chain, address.value) : undefined;
}
