import type { ResponseOf, RouteName, SentTo } from "../../../../api/routes.ts";
import type { Clock } from "../../../../kernel/clock.ts";
import { AppError } from "../../../../kernel/errors.ts";
import { RateLimitedError, UnauthorizedError, UnavailableError } from "../../../answers/service-errors.ts";
import type { SecurityService } from "../../../ports.ts";
import { LoadSigns } from "./load-signs.ts";

/** Wraps a service so that its 503s fail as LoadRefusedError where they refuse for load (`LoadSigns`). */
export function tellLoad(service: SecurityService, clock: Pick<Clock, "ticks">): SecurityService {
  const signs = new LoadSigns();
  return {
    async ask<N extends RouteName>(route: N, request: SentTo<N>, signal: AbortSignal): Promise<ResponseOf<N>> {
      const sentAt = clock.ticks();
      try {
        const answer = await service.ask(route, request, signal);
        signs.answered(route, clock.ticks());
        return answer;
      } catch (thrown) {
        if (isAnswer(thrown)) signs.answered(route, clock.ticks());
        throw thrown instanceof UnavailableError ? signs.judge(thrown, route, sentAt, clock.ticks()) : thrown;
      }
    },
  };
}

/** Whether the service processed the request and rejected its content. */
function isAnswer(thrown: unknown): boolean {
  if (!(thrown instanceof AppError) || thrown instanceof UnavailableError) return false;
  return !(thrown instanceof RateLimitedError || thrown instanceof UnauthorizedError);
}
