import type { ResponseOf } from "../../src/api/routes.ts";
import type { CanonicalAddress } from "../../src/chains/address.ts";
import { lookalike } from "../../src/chains/lookalike.ts";
import { clean } from "../fakes/evidence.ts";
import { FakeService } from "../fakes/fake-service.ts";
import { singleAnswer } from "../fakes/single-answer.ts";

function isLike(chain: unknown, a: string, b: string): boolean {
  const family = chain === "solana" ? "solana" : "evm";
  return lookalike(family, a as CanonicalAddress, b as CanonicalAddress) !== undefined;
}

const flags = (isImitation: boolean) =>
  isImitation ? ({ ...clean.target, is_poisoning: "1", mimics_user: "1" } as const) : clean.target;
const found = (data: object) => ({ code: "0", status: "ok", data });

/**
 * A service that detects lookalikes, so that its requests are batched, and that finds nothing in any transaction or
 * token.
 *
 * @param asked called before each answer. An error that it throws becomes the answer.
 */
export function honestService(asked: () => void = () => undefined): FakeService {
  return new FakeService()
    .on(
      "poisoningBatch",
      ({ target_addresses: targets = [], token_addresses: tokens = [], user_addresses: users = [] }) => {
        asked();
        const judged = targets.map((each) => ({
          ...each,
          ...flags(users.some(({ address }) => isLike(each.chain_id, address, each.address))),
        }));
        const data = { target_addresses: judged, token_addresses: tokens.map((each) => ({ ...each, ...clean.token })) };
        return found(data) as unknown as ResponseOf<"poisoningBatch">;
      },
    )
    .on("poisoningSingle", ({ chain_id: chain, address, user_address: user, token_address: token }) => {
      asked();
      const judged = { target_address: flags(user !== undefined && isLike(chain, user, address)) };
      return singleAnswer(address, token === undefined ? judged : { ...judged, token_address: clean.token });
    })
    .on("tokenSecurity", ({ address }) => {
      asked();
      return found({ ...clean.tokenSecurity, address: `eth:${address}` }) as unknown as ResponseOf<"tokenSecurity">;
    })
    .on("solanaEmulate", ({ sol_transactions: sent }) => {
      asked();
      const results = sent.map(({ name }) => ({ ...clean.solana.results[0], balance_changes: [], name }));
      return found({ ...clean.solana, results }) as unknown as ResponseOf<"solanaEmulate">;
    })
    .on("transactionSecurity", () => {
      asked();
      return found(clean.tron) as unknown as ResponseOf<"transactionSecurity">;
    })
    .on("evmTransactionSecurity", () => {
      asked();
      return found(clean.tron) as unknown as ResponseOf<"evmTransactionSecurity">;
    });
}
