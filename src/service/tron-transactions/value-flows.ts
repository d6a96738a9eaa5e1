import type { CanonicalAddress } from "../../chains/address.ts";
import { integerIn } from "../../chains/tron/message/message-value.ts";
import type { TronFacts } from "./facts.ts";
import { ZERO_ADDRESS } from "./recognized-address.ts";

/** An amount of one kind that moved between two addresses during the execution. */
interface Flow {
  readonly kind: string;
  readonly from: CanonicalAddress;
  readonly to: CanonicalAddress;
  readonly amount: bigint;
}

/**
 * The total of one kind that strangers kept after the execution. Strangers are addresses other than the user and the
 * services.
 */
export interface RunOutcome {
  readonly kind: string;
  readonly strangers: ReadonlySet<CanonicalAddress>;
  readonly theirs: bigint;
  /** What the user paid and received of this kind. */
  readonly paid: bigint;
  readonly received: bigint;
}

/** What an execution did with the user's payment. */
export interface Outcomes {
  readonly userGetsNothing: boolean;
  readonly byKind: readonly RunOutcome[];
}

/**
 * Sums all movements, so that a payment in many parts counts as one. Newly minted tokens have no giver and count only
 * with `countsMade`, because pools mint some for their owners.
 */
export function outcomesOf(facts: TronFacts, { countsMade }: { readonly countsMade: boolean }): Outcomes {
  const flows = flowsIn(facts);
  const owner = facts.operation.owner;
  const isStranger = strangersAmong(flows, facts);
  const kinds = [...new Set(flows.map(({ kind }) => kind))];
  const byKind = kinds.map((kind): RunOutcome => {
    const ofKind = flows.filter((flow) => flow.kind === kind);
    const theirs = ofKind.filter(({ from, to }) => isStranger(to) && (countsMade || from !== ZERO_ADDRESS));
    return {
      kind,
      strangers: new Set(theirs.map(({ to }) => to)),
      theirs: total(theirs),
      paid: total(ofKind.filter(({ from }) => from === owner)) + (kind === COINS ? coinsSent(facts) : 0n),
      received: total(ofKind.filter(({ to }) => to === owner)),
    };
  });
  return { userGetsNothing: byKind.every(({ received }) => received === 0n), byKind };
}

const COINS = "TRX";

function flowsIn({ moves, payments }: TronFacts): readonly Flow[] {
  return [
    ...moves
      .filter(({ from, to }) => from !== to)
      .map(({ token, from, to, amount, isItem }): Flow => {
        const isOne = isItem || amount === undefined;
        return { kind: isItem ? `${token} ${amount ?? ""}` : token, from, to, amount: isOne ? 1n : amount };
      }),
    ...payments.map(({ from, to, sun }): Flow => ({ kind: COINS, from, to, amount: sun })),
  ];
}

/**
 * An address that also gives something is a pool that trades. Token contracts and the zero address are no strangers.
 */
function strangersAmong(flows: readonly Flow[], { moves, operation, contract, isService }: TronFacts) {
  const known = new Set<string | undefined>([
    operation.owner,
    contract?.address,
    ZERO_ADDRESS,
    ...moves.map(({ token }) => token),
    ...flows.filter(({ amount }) => amount > 0n).map(({ from }) => from),
  ]);
  return (address: CanonicalAddress) => !known.has(address) && !isService(address);
}

function coinsSent({ operation }: TronFacts): bigint {
  return integerIn(operation.value, "call_value");
}

function total(flows: readonly Flow[]): bigint {
  return flows.reduce((sum, { amount }) => sum + amount, 0n);
}
