import { success } from "../../api/envelope.ts";
import type { SolanaEmulateRequest, SolanaEmulateResponse } from "../../api/schemas/solana-emulate.ts";
import type { Message } from "../../chains/solana/message/message.ts";
import { type Answer, answer, refuse } from "../answer.ts";
import type { LabelBook } from "../labels/label-book.ts";
import { unsupported } from "../subject.ts";
import { judge } from "./judge.ts";
import { judgeSequence } from "./judge-sequence.ts";
import { readItem } from "./read-item.ts";
import { render } from "./render.ts";
import { execSummary } from "./result-code.ts";
import type { Simulator } from "./simulator.ts";
import type { PriceOf } from "./value-text.ts";

/** The outside services that a simulation uses. */
export interface SolanaBackend {
  readonly simulator: Simulator;
  /** Returns a new UUID. */
  readonly requestId: () => string;
  /** Without `priceOf`, no token has a price. */
  readonly priceOf?: PriceOf;
}

/** Maximum number of transactions in one request. Each transaction may run for some milliseconds. */
export const MAX_TRANSACTIONS = 64;

/**
 * Simulates transactions and describes what each would do. Each transaction runs on its own unless the request asks for
 * a sequence. All transactions are parsed first: a request with one unreadable transaction is refused. Without a
 * backend, the chain is unsupported. Source: docs/decisions/0001-open-points.md, "Several Solana transactions in one
 * request"; docs/decisions/0010-solana.md.
 */
export async function emulate(
  { sol_transactions: items, requested_items }: SolanaEmulateRequest,
  labels: LabelBook,
  backend: SolanaBackend | undefined,
): Promise<Answer<SolanaEmulateResponse>> {
  if (items.length > MAX_TRANSACTIONS)
    return refuse("schemaMismatch", `sol_transactions: at most ${MAX_TRANSACTIONS} items`);
  const messages: Message[] = [];
  for (const [i, item] of items.entries()) {
    const read = readItem(item, `sol_transactions[${i}]`);
    if (!read.ok) return read;
    messages.push(read.value);
  }
  if (backend === undefined) return unsupported("solana");
  const isSequence = requested_items.sequence === true;
  const simulated = await backend.simulator.simulate(messages, isSequence);
  if (!simulated.ok) return refuse(simulated.failure, simulated.detail);
  const { simulations } = simulated;
  const { priceOf = () => undefined } = backend;
  const id = backend.requestId();
  const judged = isSequence
    ? judgeSequence(messages, simulations, labels)
    : simulations.flatMap((simulation, i) => {
        const message = messages[i];
        return message === undefined ? [] : [judge(message, simulation, labels)];
      });
  const results = judged.map((each, i) =>
    render(each, { items: requested_items, name: items[i]?.name, requestId: id, priceOf }, labels),
  );
  return answer(success({ exec_summary: execSummary(simulations.map(({ error }) => error)), results }));
}
