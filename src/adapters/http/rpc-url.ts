import { Secret } from "../../kernel/secret.ts";
import { checkedUrl } from "./checked-url.ts";

/** A Solana node, whose URL may hold a key. @throws {ConfigInvalidError} which never holds the URL. */
export function solanaRpcUrl(text: string, { allowHttp }: { readonly allowHttp: boolean }): Secret {
  const url = checkedUrl(text, {
    setting: "SOLANA_RPC_URL",
    credentials: "give the key in its path or its query, as the node's operator says",
    whole: "leave out what begins with #",
    mayHaveQuery: true,
    http: {
      allowed: allowHttp,
      danger: "read the key and change what the chain seems to hold",
      instead: "use https, or set SOLANA_RPC_ALLOW_HTTP=true where that is meant",
    },
  });
  return new Secret(url);
}

/** The URL of a JSON-RPC endpoint; keys in its path or query are how providers know their clients. @throws {ConfigInvalidError} which never holds the URL. */
export function rpcUrl(text: string, { allowHttp }: { readonly allowHttp: boolean }): string {
  return checkedUrl(text, {
    setting: "EVM_RPC_URLS",
    credentials: "give the key as the provider writes it, in the path or the query",
    whole: "give the URL without its fragment",
    mayHaveQuery: true,
    http: {
      allowed: allowHttp,
      danger: "read the key and change the answers",
      instead: "use https, or set EVM_RPC_ALLOW_HTTP=true where that is meant",
    },
  });
}
