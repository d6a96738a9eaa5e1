/** Headers that the client writes itself, in lower case. */
export const ownHeaders: ReadonlySet<string> = new Set([
  ...["accept", "accept-encoding", "connection", "content-length", "content-type", "expect", "host"],
  ...["keep-alive", "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade"],
]);
