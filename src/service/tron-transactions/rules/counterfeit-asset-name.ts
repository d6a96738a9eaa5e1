import { type MessageValue, textIn } from "../../../chains/tron/message/message-value.ts";
import type { TronFacts } from "../facts.ts";
import { calledLikeMoney } from "./called-like-money.ts";
import type { TronRule } from "./rule.ts";

/**
 * T11: a TRC-10 with a name like the coin or a dollar token is a counterfeit. Moved TRC-10s are given by id only. Their
 * names come from the node alone.
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

/** The TRC-10 names that the operation itself states. */
function namesOf(type: string, value: MessageValue): readonly string[] {
  if (type === "AssetIssueContract") return [textIn(value, "name"), textIn(value, "abbr")];
  if (type === "TransferAssetContract" || type === "ParticipateAssetIssueContract")
    return [textIn(value, "asset_name")];
  return [];
}
