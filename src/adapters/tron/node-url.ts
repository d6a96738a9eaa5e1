import { checkedUrl } from "../http/checked-url.ts";

/** One base URL of a node. @throws {ConfigInvalidError} which never holds the URL. */
export function nodeUrl(text: string, { allowHttp }: { readonly allowHttp: boolean }): string {
  return checkedUrl(text, {
    setting: "TRON_RPC_URL",
    credentials: "the node knows its clients by TRON_RPC_API_KEY",
    whole: "give what stands before /wallet",
    http: {
      allowed: allowHttp,
      danger: "read the key and change the answers",
      instead: "use https, or set TRON_RPC_ALLOW_HTTP=true where that is meant",
    },
  });
}
