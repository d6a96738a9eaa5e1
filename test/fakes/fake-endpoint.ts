import type { RpcAnswer, RpcEndpoint, RpcRequest } from "../../src/adapters/http/client/json-rpc-endpoint.ts";

/** The answer of a node to one request. It throws the errors of the endpoint. */
export type Behaviour = (request: RpcRequest) => RpcAnswer;

/** A JSON-RPC endpoint without a network. `asked` records the methods of each batch. */
export interface FakeEndpoint extends RpcEndpoint {
  readonly asked: (readonly string[])[];
  behave: Behaviour;
}

export function fakeEndpoint(name: string, behave: Behaviour): FakeEndpoint {
  const asked: (readonly string[])[] = [];
  return {
    name,
    asked,
    behave,
    async ask(requests) {
      asked.push(requests.map(({ method }) => method));
      return requests.map((request) => this.behave(request));
    },
    async close() {},
  };
}

/** A node of chain `chainId` at block 256: every code is fe, every word 7, every call returns its own data. */
export function honest(chainId = 1): Behaviour {
  return ({ method, params }) => {
    const [first] = params;
    const results: Readonly<Record<string, unknown>> = {
      eth_chainId: `0x${chainId.toString(16)}`,
      eth_blockNumber: "0x100",
      eth_getCode: "0xfe",
      eth_getBalance: "0x7",
      eth_getTransactionCount: "0x7",
      eth_getStorageAt: `0x${"7".padStart(64, "0")}`,
      eth_call: Object(first).data,
    };
    return method in results ? { result: results[method] } : { failure: { code: -32601, message: "no such method" } };
  };
}
