import { canaryPairs } from "../../../src/worker/batching/calibration/canary-pairs.generated.ts";
import { isSameFamily, type Place, type Rule, resembles, resemblesLoosely } from "./rule.ts";

/** Most users for an ordinary comparison. With more users, one more character must be equal. */
export const CROWD = 50;
/** With more users than this, two more characters must be equal. */
const LARGE_CROWD = 200;
/** Users that a lazy service compares. */
export const FIRST = 20;

const byFamily: Rule["imitatesUser"] = (users) => (asked) => users.some((user) => resembles(asked, user));

const canaryTargets = new Set<string>(canaryPairs.map(({ target }) => target));

/** Lists one in three of all addresses, and no canary. */
const lists = ({ address }: Place) => address.charCodeAt(12) % 3 === 0 && !canaryTargets.has(address);

/** Rules under which the effect of other events' users can be detected and removed. */
export const poolableRules = {
  /** A target imitates users of its own chain only. */
  "same chain only": {
    imitatesUser: (users) => (asked) =>
      users.some((user) => user.chain.id === asked.chain.id && resembles(asked, user)),
  },
  /** A target imitates users of any chain of its address family. */
  "by family": { imitatesUser: byFamily },
  /** A user's own address imitates no user. */
  "exempts users": {
    imitatesUser: (users) => (asked) =>
      !users.some((user) => isSameFamily(user, asked) && user.address === asked.address) && byFamily(users)(asked),
  },
  /** Compares by family, but never raises mimics_user. */
  "is_poisoning alone": { imitatesUser: byFamily, isSilentOnUsers: true },
  /** Tokens that imitate a user are poisoning, too. */
  "judges tokens": { imitatesUser: byFamily, judgesTokens: true },
  /** One chain has no backend: its items are refused one by one, and items of other chains are not affected. */
  "refuses one chain": { imitatesUser: byFamily, refuses: "56" },
  /** Among users that resemble one another only the first counts. */
  "drops the later of users alike": {
    imitatesUser: (users) => {
      const kept: Place[] = [];
      for (const user of users) if (!kept.some((other) => resembles(user, other))) kept.push(user);
      return byFamily(kept);
    },
  },
  /** Among users that resemble one another none counts. */
  "drops all users alike": {
    imitatesUser: (users) => byFamily(users.filter((user) => !users.some((other) => resembles(user, other)))),
  },
  /** Many targets and tokens are poisoning for any users. */
  lists: { imitatesUser: byFamily, lists },
  /** Many targets and tokens are poisoning for any users, and imitations of a user look the same. */
  "lists, and is_poisoning alone": { imitatesUser: byFamily, lists, isSilentOnUsers: true },
  /** Many targets and tokens are poisoning for any users, and so are tokens that imitate a user. */
  "lists, and judges tokens": { imitatesUser: byFamily, lists, judgesTokens: true },
  /** A target that imitates a user also mimics an exchange. */
  "calls users exchanges": { imitatesUser: byFamily, lists, callsUsersExchanges: true },
  /** A target that imitates a user mimics an exchange and no user. */
  "calls users exchanges alone": { imitatesUser: byFamily, isSilentOnUsers: true, callsUsersExchanges: true },
  /** It needs one equal character less than Weir's rule. */
  "looser than our rule": {
    imitatesUser: (users) => (asked) => users.some((user) => resemblesLoosely(asked, user)),
    lists,
  },
} as const satisfies Record<string, Rule>;

/**
 * Rules under which canaries are reported as imitations of a user, and other imitations as poisoning only. Many other
 * addresses are poisoning by themselves. A calibration by canaries is then wrong for other imitations.
 */
export const deceivingRules = {
  "names canaries only": {
    imitatesUser: byFamily,
    lists,
    isSilentOn: ({ address }) => !canaryTargets.has(address),
  },
  "names nobody in large requests": {
    imitatesUser: byFamily,
    lists,
    isSilentOn: ({ address }, users) => users.length > CROWD && !canaryTargets.has(address),
  },
} as const satisfies Record<string, Rule>;

/** Rules under which other entries of the batch suppress a flag: batching must stop. */
export const unpoolableRules = {
  /** The more users a request has, the more characters of a target must be equal. */
  "stricter in a crowd": {
    imitatesUser: (users) => (asked) => users.some((user) => resembles(asked, user, strictness(users.length))),
  },
  /** The more users a target's chain has in a request, the more of its characters must be equal. */
  "stricter in a crowd of one chain": {
    imitatesUser: (users) => {
      const counts = Map.groupBy(users, ({ chain }) => chain.id);
      return (asked) => {
        const more = strictness(counts.get(asked.chain.id)?.length ?? 0);
        return users.some((user) => resembles(asked, user, more));
      };
    },
  },
  /** Only the first users of a request are compared. */
  "first users only": { imitatesUser: (users) => byFamily(users.slice(0, FIRST)) },
  /** Only the last users of a request are compared. */
  "last users only": { imitatesUser: (users) => byFamily(users.slice(-FIRST)) },
} as const satisfies Record<string, Rule>;

/** Rules under which other entries of the batch suppress flags between the ends of a request, and none at the ends. */
export const endsOnlyRules = {
  /** Only the first and the last users of a request are compared. */
  "users near both ends only": {
    imitatesUser: (users) => byFamily(users.filter((_, at) => isNearEnd(at, users.length))),
  },
  /** Only the first and the last targets of a request are compared with users. */
  "targets near both ends only": { imitatesUser: byFamily, judgesTargetAt: isNearEnd },
} as const satisfies Record<string, Rule>;

/** Compared users or targets from either end. The canaries at the ends are always among these. */
const NEAR = 8;

function isNearEnd(at: number, of: number): boolean {
  return at < NEAR || at >= of - NEAR;
}

/** Number of additional equal characters for this number of users. */
function strictness(users: number): number {
  if (users > LARGE_CROWD) return 2;
  return users > CROWD ? 1 : 0;
}
