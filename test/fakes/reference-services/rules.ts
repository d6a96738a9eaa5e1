import { canaryPairs } from "../../../src/worker/batching/calibration/canary-pairs.generated.ts";
import { isSameFamily, type Place, type Rule, resembles, resemblesLoosely } from "./rule.ts";

/** Users up to which a request is compared as a single question is; from there on it takes a character more. */
export const CROWD = 50;
/** From here on it takes two. */
const LARGE_CROWD = 200;
/** Users that a lazy service looks at. */
export const FIRST = 20;

const byFamily: Rule["imitatesUser"] = (users) => (asked) => users.some((user) => resembles(asked, user));

const canaryTargets = new Set<string>(canaryPairs.map(({ target }) => target));

/** One in three of all addresses, and no canary. */
const lists = ({ address }: Place) => address.charCodeAt(12) % 3 === 0 && !canaryTargets.has(address);

/** Rules under which what a stranger's user adds can be found out and taken back. */
export const poolableRules = {
  /** A target imitates users of its own chain only. */
  "same chain only": {
    imitatesUser: (users) => (asked) =>
      users.some((user) => user.chain.id === asked.chain.id && resembles(asked, user)),
  },
  /** A target imitates users of any chain of its address family. */
  "by family": { imitatesUser: byFamily },
  /** What is some user's own address imitates nobody. */
  "exempts users": {
    imitatesUser: (users) => (asked) =>
      !users.some((user) => isSameFamily(user, asked) && user.address === asked.address) && byFamily(users)(asked),
  },
  /** As by family, but mimics_user is never raised. */
  "is_poisoning alone": { imitatesUser: byFamily, isSilentOnUsers: true },
  /** Tokens that imitate a user are poisoning, too. */
  "judges tokens": { imitatesUser: byFamily, judgesTokens: true },
  /** One chain has no backend: its items are refused one by one, and it is none of the others' business. */
  "refuses one chain": { imitatesUser: byFamily, refuses: "56" },
  /** Of users that resemble one another only the first counts. */
  "drops the later of users alike": {
    imitatesUser: (users) => {
      const kept: Place[] = [];
      for (const user of users) if (!kept.some((other) => resembles(user, other))) kept.push(user);
      return byFamily(kept);
    },
  },
  /** Of users that resemble one another none counts. */
  "drops all users alike": {
    imitatesUser: (users) => byFamily(users.filter((user) => !users.some((other) => resembles(user, other)))),
  },
  /** Many targets and tokens are poisoning whatever the users are. */
  lists: { imitatesUser: byFamily, lists },
  /** They are, and what imitates a user is told apart from them by nothing. */
  "lists, and is_poisoning alone": { imitatesUser: byFamily, lists, isSilentOnUsers: true },
  /** They are, and so are tokens that imitate a user. */
  "lists, and judges tokens": { imitatesUser: byFamily, lists, judgesTokens: true },
  /** What imitates a user is said to mimic an exchange as well. */
  "calls users exchanges": { imitatesUser: byFamily, lists, callsUsersExchanges: true },
  /** What imitates a user is said to mimic an exchange and no user. */
  "calls users exchanges alone": { imitatesUser: byFamily, isSilentOnUsers: true, callsUsersExchanges: true },
  /** It takes a character less than our own rule does. */
  "looser than our rule": {
    imitatesUser: (users) => (asked) => users.some((user) => resemblesLoosely(asked, user)),
    lists,
  },
} as const satisfies Record<string, Rule>;

/**
 * Rules under which the service says of canaries that they imitate a user, and of strangers' imitations only that they are
 * poisoning, beside so many that are poisoning by themselves. What is learned of the one is wrong of the other.
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

/** Rules under which company takes a flag away: pooling must stop. */
export const unpoolableRules = {
  /** The more users a request has, the more alike a target must be. */
  "stricter in a crowd": {
    imitatesUser: (users) => (asked) => users.some((user) => resembles(asked, user, strictness(users.length))),
  },
  /** The more users a target's chain has in a request, the more alike it must be. */
  "stricter in a crowd of one chain": {
    imitatesUser: (users) => {
      const counts = Map.groupBy(users, ({ chain }) => chain.id);
      return (asked) => {
        const more = strictness(counts.get(asked.chain.id)?.length ?? 0);
        return users.some((user) => resembles(asked, user, more));
      };
    },
  },
  /** Only the first users of a request are looked at. */
  "first users only": { imitatesUser: (users) => byFamily(users.slice(0, FIRST)) },
  /** Only the last users of a request are looked at. */
  "last users only": { imitatesUser: (users) => byFamily(users.slice(-FIRST)) },
} as const satisfies Record<string, Rule>;

/** Rules under which company takes a flag away from some place between the ends of a request, and from none at them. */
export const endsOnlyRules = {
  /** Only the first and the last users of a request are looked at. */
  "users near both ends only": {
    imitatesUser: (users) => byFamily(users.filter((_, at) => isNearEnd(at, users.length))),
  },
  /** Only the first and the last targets of a request are compared with users. */
  "targets near both ends only": { imitatesUser: byFamily, judgesTargetAt: isNearEnd },
} as const satisfies Record<string, Rule>;

/** Users or targets that it looks at from either end: the canaries of the ends are always among them. */
const NEAR = 8;

function isNearEnd(at: number, of: number): boolean {
  return at < NEAR || at >= of - NEAR;
}

/** How many more characters it takes beside so many users. */
function strictness(users: number): number {
  if (users > LARGE_CROWD) return 2;
  return users > CROWD ? 1 : 0;
}
