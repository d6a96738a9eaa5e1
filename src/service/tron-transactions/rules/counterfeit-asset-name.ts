import { type MessageValue, textIn } from "../../../chains/tron/message/message-value.ts";
import type { TronFacts } from "../facts.ts";
import { calledLikeMoney } from "./called-like-money.ts";
import type { TronRule } from "./rule.ts";

/**
 * T11: a TRC-10 that is called like the coin or a dollar token is made to be taken for it. One that is named by its id,
 * as all are that are moved, is known by what a node says it is called, and otherwise by nothing.
 */
export const counterfeitAssetName: TronRule = (facts) => {
  const found = namesIn(facts).find(({ name }) => calledLikeMoney(name));
  if (found === undefined) return undefined;
  const which = found.id === undefined ? "" : ` with the id ${found.id}`;
  return `a TRC-10${which} that is called ${JSON.stringify(found.name.slice(0, 60))}: neither TRX nor a dollar token is one`;
};

interface Named {
  readonly id: bigint | undefined;
  readonly name: string;
}

function namesIn({ operation, chain }: TronFacts): readonly Named[] {
  const said = namesOf(operation.type, operation.value);
  return [
    ...said.map((name) => ({ id: undefined, name })),
    ...(chain?.assets ?? []).flatMap(({ id, name, abbr }) => [
      { id, name },
      { id, name: abbr },
    ]),
  ];
}

/** What an operation itself says that a TRC-10 is called. */
function namesOf(type: string, value: MessageValue): readonly string[] {
  if (type === "AssetIssueContract") return [textIn(value, "name"), textIn(value, "abbr")];
  if (type === "TransferAssetContract" || type === "ParticipateAssetIssueContract")
    return [textIn(value, "asset_name")];
  return [];
}
