import { Lifecycle } from "../../kernel/lifecycle.ts";
import { quietLog } from "../../kernel/log.ts";
import { type Environment, readEnv, type ScreenConfig, type ServeConfig } from "../config/config.ts";
import { ServeEnv } from "../config/env/serve-env.ts";
import { embeddedEnvironment } from "../screen/embedded-service.ts";
import { chooseService } from "../screen/screen-service.ts";
import { openSolana } from "../serve/open-solana.ts";
import { readMarkets } from "../serve/open-tokens.ts";
import { openEvm } from "../wiring/open-evm.ts";
import { openTron } from "../wiring/open-tron.ts";

const CLOSE_DEADLINE_MS = 3_000;

/** Checks the settings of the run's own service, or the settings that a remote service must not have. */
export async function lookAtNodesOfRun(config: ScreenConfig, env: Environment): Promise<string> {
  await chooseService(config);
  if (config.SERVICE_URL !== undefined) return "not needed: the service at SERVICE_URL has its own";
  return lookAtNodes(readEnv(ServeEnv, embeddedEnvironment(env)));
}

/** Checks the settings of the nodes of a service. It connects to none. */
export async function lookAtNodes(own: ServeConfig): Promise<string> {
  const opened = new Lifecycle();
  try {
    const backends = {
      Solana: await openSolana(own, opened, quietLog),
      TRON: await openTron(own, opened, quietLog),
      EVM: await openEvm(own, opened, quietLog),
    };
    if (own.EVM_MARKETS_FILE !== undefined) await readMarkets(own.EVM_MARKETS_FILE);
    const named = Object.entries(backends).flatMap(([family, backend]) => (backend === undefined ? [] : [family]));
    return named.length === 0 ? "none: checks that need one are UNKNOWN" : `for ${named.join(", ")}`;
  } finally {
    await opened.close(CLOSE_DEADLINE_MS);
  }
}
