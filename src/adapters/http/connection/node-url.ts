import { Secret } from "../../../kernel/secret.ts";
import type { UrlSetting } from "./checked-lookup.ts";
import { checkedUrl } from "./checked-url.ts";

/** The settings that name nodes of chains. */
export type NodeSetting = Extract<UrlSetting, "SOLANA_RPC_URL" | "TRON_RPC_URL" | "EVM_RPC_URLS">;

/** By setting: how the nodes authenticate clients, and which setting allows plain http. */
const rules = {
  SOLANA_RPC_URL: {
    credentials: "give the key in its path or its query, as the node's operator says",
    whole: "leave out what begins with #",
    mayHaveQuery: true,
    danger: "read the key and change what the chain seems to hold",
    allowedBy: "SOLANA_RPC_ALLOW_HTTP",
  },
  EVM_RPC_URLS: {
    credentials: "give the key as the provider writes it, in the path or the query",
    whole: "give the URL without its fragment",
    mayHaveQuery: true,
    danger: "read the key and change the answers",
    allowedBy: "EVM_RPC_ALLOW_HTTP",
  },
  TRON_RPC_URL: {
    credentials: "the node knows its clients by TRON_RPC_API_KEY",
    whole: "give what stands before /wallet",
    mayHaveQuery: false,
    danger: "read the key and change the answers",
    allowedBy: "TRON_RPC_ALLOW_HTTP",
  },
} as const satisfies Record<NodeSetting, object>;

/** One node's URL, which may hold a key in its path or its query. @throws {ConfigInvalidError} which never holds the URL. */
export function nodeUrl(setting: NodeSetting, text: string, { allowHttp }: { readonly allowHttp: boolean }): Secret {
  const { credentials, whole, mayHaveQuery, danger, allowedBy } = rules[setting];
  const instead = `use https, or set ${allowedBy}=true where that is meant`;
  const http = { allowed: allowHttp, danger, instead };
  return new Secret(checkedUrl(text, { setting, credentials, whole, mayHaveQuery, http }));
}
