import type { CanonicalAddress } from "../../../src/chains/address.ts";
import { ok } from "../../../src/kernel/result.ts";
import { initialPermissions } from "../../../src/service/tron-transactions/permissions/permission-analysis.ts";
import type { TronAccount, TronNode } from "../../../src/service/tron-transactions/tron-node.ts";

/** An account with much TRX and its own key by default. */
export function stateOf(address: CanonicalAddress, more: Partial<TronAccount> = {}): TronAccount {
  return {
    balanceSun: 10n ** 15n,
    isContract: false,
    isWitness: false,
    permissions: initialPermissions(address),
    ...more,
  };
}

/** A node without failures: every account exists, and every call runs without an effect. It records its requests. */
export function fakeNode(replaced: Partial<TronNode> = {}): TronNode & { readonly asked: readonly string[] } {
  const asked: string[] = [];
  const node: TronNode = {
    account: async (address) => ok(stateOf(address)),
    code: async () => ok("f4"),
    asset: async (id) => ok({ id, name: "Sample", abbr: "SMP" }),
    execute: async () => ok({ ended: "done", returned: "", logs: [], payments: [] }),
    ...replaced,
  };
  return {
    asked,
    account(address) {
      asked.push(`account ${address}`);
      return node.account(address);
    },
    code(contract) {
      asked.push(`code ${contract}`);
      return node.code(contract);
    },
    asset(id) {
      asked.push(`asset ${id}`);
      return node.asset(id);
    },
    execute(call) {
      asked.push(`execute ${call.contract} ${call.data.slice(0, 8)}`);
      return node.execute(call);
    },
  };
}
