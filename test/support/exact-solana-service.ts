import type { ResponseOf, RouteName, SentTo } from "../../src/contract/routes.ts";
import type { SecurityService } from "../../src/worker/ports.ts";
import { exactSolanaAnswer, exactSolanaRequest } from "../fakes/exact-service/solana.ts";

/** `service` as one that answers the Solana operation with exactly the interface's fields, and knows no other ones. */
export function exactSolanaService(service: SecurityService): SecurityService {
  return {
    async ask<N extends RouteName>(name: N, request: SentTo<N>, signal: AbortSignal) {
      if (name !== "solanaEmulate") return service.ask(name, request, signal);
      const answer = await service.ask("solanaEmulate", exactSolanaRequest(request as SentTo<"solanaEmulate">), signal);
      return exactSolanaAnswer(answer) as ResponseOf<N>;
    },
  };
}
