import { STATUS_IN_PROGRESS, SUCCESS_CODE, success } from "../../api/envelope.ts";
import type { TokenSecurityRequest, TokenSecurityResponse } from "../../api/schemas/token-security.ts";
import { parseAddressOn } from "../../chains/address.ts";
import { findChain } from "../../chains/registry.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Log } from "../../kernel/log.ts";
import { type Answer, answer, refuse } from "../answer.ts";
import type { EvmNodes } from "../evm/node.ts";
import type { LabelBook } from "../labels/label-book.ts";
import { unsupported } from "../subject.ts";
import { type AnalysisKey, type AnalysisStore, openAnalyses } from "./analyses.ts";
import { type Analysing, gatherToken } from "./gather.ts";
import { render } from "./render.ts";

/** The collaborators of token security. */
export interface TokenBackend extends Analysing {
  readonly nodes: EvmNodes;
  readonly clock: Clock;
  readonly log: Log;
  readonly store?: AnalysisStore;
}

type AnalyseToken = (request: TokenSecurityRequest) => Promise<Answer<TokenSecurityResponse>>;

/** Analyses tokens over `backend`. Without a backend, no chain is supported. */
export function tokenAnalyserOver(backend: TokenBackend | undefined, labels: () => LabelBook): AnalyseToken {
  if (backend === undefined)
    return async ({ chainId, address }) => refused(chainId, address, undefined) ?? unsupported(chainId);
  const { nodes, clock } = backend;
  const analyses = openAnalyses({
    ...backend,
    analyse: async ({ chainId, address }, signal) => {
      const node = nodes.find(chainId);
      if (node === undefined) throw new Error("a chain without a node");
      const facts = await gatherToken(node, address, backend, signal);
      return render(facts, subjectOf(chainId, address, facts.owner?.address), labels(), clock.now());
    },
  });
  return async ({ chainId, address, wait }) => {
    const refusal = refused(chainId, address, nodes);
    if (refusal !== undefined) return refusal;
    const question = questionOf(chainId, address);
    const progress = wait ? await analyses.wait(question) : analyses.ask(question);
    if ("data" in progress) return answer(success(progress.data));
    return answer({ code: SUCCESS_CODE, status: STATUS_IN_PROGRESS, pollAfter: progress.pollAfterSec });
  };
}

/** Refuses chains without a node, and texts that are no address. A chain outside the registry may still have a node. */
function refused(chainId: string, address: string, nodes: EvmNodes | undefined): Answer<never> | undefined {
  const chain = findChain(chainId);
  const hasNode = nodes?.find(chain?.id ?? chainId) !== undefined;
  if (chain === undefined ? !hasNode : chain.family !== "evm") return unsupported(chainId);
  const parsed = parseAddressOn({ id: chain?.id ?? chainId, family: "evm" }, address);
  if (!parsed.ok) return refuse("invalidAddress", `address: ${parsed.detail}`);
  return hasNode ? undefined : unsupported(chainId);
}

function questionOf(chainId: string, address: string): AnalysisKey {
  const id = findChain(chainId)?.id ?? chainId;
  return { chainId: id, address: canonical(id, address) };
}

function subjectOf(chainId: string, address: string, owner: string | undefined) {
  return {
    chain: findChain(chainId) ?? ({ id: chainId, name: chainId, family: "evm" } as const),
    address: canonical(chainId, address),
    owner: owner === undefined ? undefined : canonical(chainId, owner),
  };
}

function canonical(id: string, address: string) {
  const parsed = parseAddressOn({ id, family: "evm" }, address);
  if (!parsed.ok) throw new Error(`an address that was one before: ${parsed.detail}`);
  return parsed.value;
}
