import type { EvmAct } from "../../../chains/evm/act.ts";
import { ZERO_ADDRESS } from "../../../chains/evm/calls/token-calls.ts";
import { aboutParty } from "../../labels/about-address.ts";
import type { Grant } from "../execution.ts";
import type { EvmFacts } from "../facts.ts";
import { approvalsIn, type EvmRule, isUnlimited } from "./rule.ts";

/** A spender without limit can take all present and future tokens. */
export const unlimitedApproval: EvmRule = (facts) => {
  const found = approvalsIn(facts).find((each) => isUnlimited(each) && !facts.known(each.spender).isService);
  return (
    found && `lets ${found.spender}, ${aboutParty(facts.known(found.spender))}, take all of ${found.token} at any time`
  );
};

/**
 * A stranger submits the owner's signature, which costs the owner no transaction. The owner may therefore not notice
 * it.
 */
export const permitToStranger: EvmRule = (facts) => {
  const found = approvalsIn(facts).find((each) => each.by === "signature" && !facts.known(each.spender).isService);
  return (
    found &&
    `lets ${found.spender}, ${aboutParty(facts.known(found.spender))}, take tokens of ${found.of} by a signature`
  );
};

export const limitedApproval: EvmRule = (facts) => {
  const found = approvalsIn(facts).find(
    (each) => each.by === "call" && !isUnlimited(each) && !facts.known(each.spender).isService,
  );
  return (
    found &&
    `lets ${found.spender}, ${aboutParty(facts.known(found.spender))}, take ${found.amount} units of ${found.token}`
  );
};

export const unlimitedApprovalToService: EvmRule = (facts) => {
  const found = approvalsIn(facts).find((each) => isUnlimited(each) && facts.known(each.spender).isService);
  return found && `lets ${found.spender}, a labelled service, take all of ${found.token} at any time`;
};

/** The execution gives a spender a right to the user's tokens that the calldata does not state. */
export const approvesOthers: EvmRule = (facts) => {
  const { execution } = facts.chain ?? {};
  const found = execution?.ended === "done" ? execution.grants.find((grant) => isHidden(grant, facts)) : undefined;
  return found && `lets ${found.spender} take your tokens of ${found.token}, without saying so`;
};

function isHidden({ token, spender, giver }: Grant, { does, known }: EvmFacts): boolean {
  if (spender === giver || spender === ZERO_ADDRESS || known(spender).isService) return false;
  return !does.acts.some(
    (act) => (act.does === "approve" || act.does === "approve_all") && act.token === token && act.spender === spender,
  );
}

/** An operator may take every present and future item of a collection. */
export const operatorApproval: EvmRule = (facts) => {
  const found = facts.does.acts.find((act) => act.does === "approve_all" && !facts.known(act.spender).isService);
  return found?.does === "approve_all"
    ? `lets ${found.spender}, ${aboutParty(facts.known(found.spender))}, take every item you have in ${found.token}`
    : undefined;
};

/** Drainers deploy a contract for each victim. A contract that did not exist 100 blocks ago is not in any list yet. */
export const spenderIsNew: EvmRule = ({ does, chain, known }) => {
  const found = does.acts.find(
    (act) =>
      (act.does === "approve" || act.does === "approve_all") &&
      chain?.isNew.has(act.spender) === true &&
      !known(act.spender).isService,
  );
  return found !== undefined && "spender" in found
    ? `lets ${found.spender} take your tokens, a contract that was not there 100 blocks ago`
    : undefined;
};

/** An honest service spends through its contract. A wallet with an allowance takes the tokens by its key. */
export const spenderIsWallet: EvmRule = ({ does, chain }) => {
  const found = does.acts.find(
    (act) => (act.does === "approve" || act.does === "approve_all") && isAccount(chain?.codeAt.get(act.spender)),
  );
  return found !== undefined && "spender" in found
    ? `lets ${found.spender} take your tokens, which is no contract but somebody's wallet`
    : undefined;
};

function isAccount(kind: "wallet" | "contract" | "delegated" | undefined): boolean {
  return kind === "wallet" || kind === "delegated";
}

/**
 * An approval of 0 revokes a token allowance, but gives item 0 of a collection. Both use the same calldata. A labelled
 * token keeps no items. For other contracts, only the event logs of an execution show which one is meant.
 */
export const mayGiveItem: EvmRule = (facts) => {
  if (wroteDown(facts)) return undefined;
  const found = facts.does.acts.find(
    (act) =>
      act.does === "revoke" &&
      act.orGivesItem === true &&
      !facts.known(act.token).isTrustedToken &&
      !facts.known(act.spender).isService,
  );
  return found?.does === "revoke"
    ? `lets ${found.spender} take item 0 of ${found.token}, if that keeps items; a right to tokens it would take back`
    : undefined;
};

/** True when all event logs were seen. An approval of an item in the logs has its own rule. */
function wroteDown({ chain }: EvmFacts): boolean {
  return chain?.execution?.ended === "done" && chain.execution.seen === "all";
}

/** EIP-7702: the code may then do everything that the account's own key may do. */
export const delegatesAccount: EvmRule = ({ does, known }) => {
  const found = delegationsIn(does).find(({ to }) => !known(to).isService && !known(to).isDelegate);
  return found && `lets the code at ${found.to} act for an account with all that it has`;
};

/**
 * A delegation to labelled code. A router or multicall that acts for an account obeys every caller. Labels of a service
 * do not show that code was made for accounts.
 */
export const delegatesToService: EvmRule = ({ does, known }) => {
  const found = delegationsIn(does).find(({ to }) => known(to).isService && !known(to).isDelegate);
  return found && `lets ${found.to}, a labelled service, act for an account`;
};

/** A delegation to code that a wallet publishes for its users' accounts. */
export const delegatesToWallet: EvmRule = ({ does, known }) => {
  const found = delegationsIn(does).find(({ to }) => known(to).isDelegate);
  return found && `lets ${found.to}, the labelled code of a wallet, act for an account`;
};

/** The delegations that name code. The zero address takes a delegation back. */
function delegationsIn({ acts }: EvmFacts["does"]): readonly Extract<EvmAct, { does: "delegate" }>[] {
  return acts.filter((act) => act.does === "delegate").filter(({ to }) => to !== ZERO_ADDRESS);
}
