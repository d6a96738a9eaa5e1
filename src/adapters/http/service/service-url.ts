import { checkedUrl } from "../connection/checked-url.ts";

/** The base URL of the service. @throws {ConfigInvalidError} which never holds the URL. */
export function serviceUrl(text: string, { allowHttp }: { readonly allowHttp: boolean }): string {
  return checkedUrl(text, {
    setting: "SERVICE_URL",
    credentials: "the service knows its clients by SERVICE_API_KEY",
    whole: "give what stands before /v2/svc",
    http: {
      allowed: allowHttp,
      danger: "read the key and change the answers",
      instead: "use https, or set SERVICE_ALLOW_HTTP=true where that is meant",
    },
  });
}
