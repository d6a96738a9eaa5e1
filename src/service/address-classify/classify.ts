import { STATUS_NOT_OK, SUCCESS_CODE, success } from "../../api/envelope.ts";
import type { ClassifyData, ClassifyRequest, ClassifyResponse } from "../../api/schemas/address-classify.ts";
import { parseAddressOn } from "../../chains/address.ts";
import { findChain } from "../../chains/registry.ts";
import type { Clock } from "../../kernel/clock.ts";
import { type Answer, answer, refuse } from "../answer.ts";
import { type EvmNode, type EvmNodes, NodeUnavailableError } from "../evm/node.ts";
import type { Verification, Verifier } from "../evm/verifier.ts";
import { unsupported } from "../subject.ts";
import { type AccountFacts, gather } from "./gather.ts";
import { judge } from "./judge.ts";
import { render } from "./render.ts";

/** The collaborators of classification. */
export interface EvmBackend {
  readonly nodes: EvmNodes;
  /** Without a verifier, the verification of a contract is unknown. */
  readonly verifier?: Verifier;
  readonly clock: Clock;
}

/** Strict mode's budget, milliseconds. Chosen: three rounds to a node 80 ms away, and some time for the node's work. */
export const STRICT_BUDGET_MS = 300;
/** Timeout of a classification, milliseconds: less than the server's own timeout. */
const PATIENCE_MS = 9_000;

/**
 * Classifies addresses over `backend`. Without a backend, no chain is supported. Concurrent requests for the same
 * address share one classification.
 */
export function classifierOver(
  backend: EvmBackend | undefined,
): (request: ClassifyRequest) => Promise<Answer<ClassifyResponse>> {
  const underWay = new Map<string, Promise<ClassifyData>>();

  return async (request) => {
    const chain = findChain(request.chain_id);
    // A configured chain is found by its number, even if the registry does not list it.
    const chainId = chain === undefined ? request.chain_id : chain.id;
    const node = chain === undefined || chain.family === "evm" ? backend?.nodes.find(chainId) : undefined;
    if (chain?.family !== "evm" && node === undefined) return unsupported(request.chain_id);
    const address = parseAddressOn({ id: chainId, family: "evm" }, request.address);
    if (!address.ok) return refuse("invalidAddress", `address: ${address.detail}`);
    if (node === undefined || backend === undefined) return unsupported(request.chain_id);

    const key = `${chainId} ${address.value}`;
    const work = underWay.get(key) ?? classifyAt(node, address.value, backend);
    underWay.set(key, work);
    const done = () => underWay.delete(key);
    work.then(done, done);
    const data = request.strict ? await withinBudget(work, backend.clock) : await work;
    return answer(data === undefined ? { code: SUCCESS_CODE, status: STATUS_NOT_OK } : success(data));
  };
}

async function classifyAt(node: EvmNode, address: string, { verifier, clock }: EvmBackend): Promise<ClassifyData> {
  const patience = new AbortController();
  const finished = new AbortController();
  const late = () => patience.abort(new NodeUnavailableError(`no classification within ${PATIENCE_MS} ms`));
  clock.sleep(PATIENCE_MS, finished.signal).then(late, () => {});
  try {
    const { chainId } = node;
    const of = async (which: string): Promise<Verification> =>
      (await verifier?.verificationOf(chainId, which, patience.signal)) ?? "unknown";
    const [facts, own] = await Promise.all([gather(node, address, patience.signal), of(address)]);
    const verification = await verificationOf(facts, own, of);
    return render({ chainId, address }, facts, judge(facts, verification), verification, clock.now());
  } finally {
    finished.abort();
  }
}

/**
 * A proxy is verified only if both the proxy and its implementation are. The code that runs may differ from the address
 * in a slot. A minimal proxy's own code is standard, so only its implementation counts.
 */
export async function verificationOf(
  { proxy, code }: AccountFacts,
  own: Verification,
  of: (address: string) => Promise<Verification>,
): Promise<Verification> {
  if (code.length === 0 || proxy?.type === "EIP-7702") return "unknown";
  if (proxy === undefined) return own;
  const behind = proxy.implementation === undefined ? "unknown" : await of(proxy.implementation);
  const both = proxy.type === "EIP-1167" ? [behind] : [own, behind];
  if (both.includes("unverified")) return "unverified";
  return both.includes("unknown") ? "unknown" : "verified";
}

/**
 * The result of `work` within the strict budget. Undefined when the budget runs out. The work continues, so that a
 * later request without `strict` can use its result.
 */
async function withinBudget<T>(work: Promise<T>, clock: Clock): Promise<T | undefined> {
  const decided = new AbortController();
  const budget = clock.sleep(STRICT_BUDGET_MS, decided.signal).then(() => undefined);
  try {
    return await Promise.race([work, budget]);
  } finally {
    budget.catch(() => {});
    decided.abort();
  }
}
