import { describe, expect, test } from "vitest";
import type { Subject } from "../../../../../src/messages/verdict.ts";
import { poisoningRule } from "../../../../../src/worker/decide/findings/poisoning.ts";
import { defaultPolicy } from "../../../../fakes/events.ts";
import { clean, subject } from "../../../../fakes/evidence.ts";

const { table } = defaultPolicy;
const find = (data: unknown, about: Subject = subject) => poisoningRule(data, { subject: about, table });
const bit = (bits: number, at: number) => ((bits >> at) & 1 ? "1" : "0");

/** All 2^5 combinations of the flags of target and token. */
const combinations = Array.from({ length: 32 }, (_, bits) => ({
  target: { mimics_user: bit(bits, 0), mimics_exchange: bit(bits, 1), is_poisoning: bit(bits, 2) },
  token: { mimics_top_token: bit(bits, 3), is_poisoning: bit(bits, 4), matched_token: "" },
}));

test.each(combinations)("every raised flag of $target $token blocks by itself, and no other", (data) => {
  const names = [
    ...(data.target.mimics_user === "1" ? ["mimics_user"] : []),
    ...(data.target.mimics_exchange === "1" ? ["mimics_exchange"] : []),
    ...(data.target.is_poisoning === "1" ? ["is_poisoning"] : []),
    ...(data.token.mimics_top_token === "1" ? ["mimics_top_token"] : []),
    ...(data.token.is_poisoning === "1" ? ["token_is_poisoning"] : []),
  ];

  const found = find(data) ?? [];

  expect(found.map(({ finding }) => finding)).toEqual(names);
  expect(found.map(({ severity }) => severity)).toEqual(names.map(() => "BLOCK"));
});

test("each finding has the severity of its own row", () => {
  const poisoning = {
    mimics_user: "INFO",
    mimics_exchange: "WARN",
    mimics_system: "BLOCK",
    is_poisoning: "UNKNOWN",
    mimics_top_token: "WARN",
    token_is_poisoning: "INFO",
  } as const;
  const rows = { ...poisoning, known_address_mimics: "BLOCK", not_compared: "UNKNOWN" } as const;
  const raised = {
    target: { mimics_user: "1", mimics_exchange: "1", is_poisoning: "1" },
    token: { mimics_top_token: "1", is_poisoning: "1", matched_token: "" },
    mimics_system: ["Vote9mmwjrD9UCCkEXyqXp9iJBr6rrtvVgKmpsEBvQW"],
  };

  const found = poisoningRule(raised, {
    subject,
    table: { ...table, findings: { ...table.findings, poisoning: rows } },
  });

  expect(Object.fromEntries((found ?? []).map(({ finding, severity }) => [finding, severity]))).toEqual(poisoning);
});

describe("an address that looks like an account of Solana's system", () => {
  const mimic = "ComputeBudgetVNZ5j61HCDgx8eBTR1ocnwePnTzP11";
  const onSolana = (address: string) => ({ ...subject, chain_id: "solana", address });

  test("such an address is blocked, whatever the service says", () => {
    const found = find({ target: clean.target }, onSolana(mimic));

    expect(found).toEqual([
      {
        finding: "mimics_system",
        severity: "BLOCK",
        detail: `${mimic} was made to look like a program or an account of Solana itself, and is none`,
      },
    ]);
  });

  test("such an address is blocked when a transaction names it", () => {
    const transaction = { type: "transaction", chain_id: "solana", transaction_sha256: "0".repeat(64) } as const;
    const found = find({ target: clean.target, mimics_system: [mimic] }, transaction);

    expect(found?.map(({ finding, severity }) => [finding, severity])).toEqual([["mimics_system", "BLOCK"]]);
  });

  test("such an address is blocked as the token of an event, beside another such address", () => {
    const token = { is_poisoning: "0", mimics_top_token: "0", matched_token: "" } as const;
    const other = "Vote9mmwjrD9UCCkEXyqXp9iJBr6rrtvVgKmpsEBvQW";
    const named = (address: string, token_address: string) =>
      find({ target: clean.target, token }, { ...onSolana(address), token_address });

    expect(named("4yfu48qwim7hGzD3Nphzd2A6ThydzysfKi4wBPFSgnhY", mimic)).toMatchObject([
      { finding: "mimics_system", severity: "BLOCK", detail: expect.stringContaining(mimic) },
    ]);
    expect(named(other, mimic)?.map(({ detail }) => detail.split(" ")[0])).toEqual([other, mimic]);
    expect(named(mimic, mimic)).toHaveLength(1);
  });

  test("such an address exists only on Solana, and the real account is none", () => {
    expect(find({ target: clean.target }, onSolana("Vote111111111111111111111111111111111111111"))).toEqual([]);
    expect(find({ target: clean.target }, { ...subject, address: `0x${"a".repeat(35)}11111` })).toEqual([]);
  });
});

describe("an address that the service's lists accuse", () => {
  const token = { is_poisoning: "0", mimics_top_token: "0", matched_token: "" } as const;
  const withToken = { ...subject, token_address: "0xdac17f958d2ee523a2206206994597c13d831ec7" };

  test.each(["sanctioned", "blocked"] as const)("the address is %s by the policy's row for lists", (as) => {
    const listed = { ...table.findings.listed, [`listed_${as}`]: "WARN" } as const;
    const found = poisoningRule(
      { target: { ...clean.target, listed_as: as }, token: { ...token, listed_as: as } },
      { subject: withToken, table: { ...table, findings: { ...table.findings, listed } } },
    );

    expect(found).toEqual([
      { finding: `listed_${as}`, severity: "WARN", detail: `lists of the service say that it is ${as}` },
      {
        finding: `listed_${as}`,
        severity: "WARN",
        detail: `lists of the service say that the token contract is ${as}`,
      },
    ]);
  });

  test("the address is reported without a token, and other words are ignored", () => {
    expect(find({ target: { ...clean.target, listed_as: "sanctioned" } })).toHaveLength(1);
    expect(find({ target: { ...clean.target, listed_as: "something" } })).toEqual([]);
  });
});

test("without a token only the target is read", () => {
  expect(find({ target: clean.target })).toEqual([]);
  expect(find({ target: { ...clean.target, is_poisoning: "1" } })).toHaveLength(1);
});

test("a token of the subject without evidence is UNKNOWN", () => {
  const withToken = { ...subject, token_address: "0xdac17f958d2ee523a2206206994597c13d831ec7" };

  const found = poisoningRule({ target: clean.target }, { subject: withToken, table });

  expect(found).toEqual([
    { finding: "token_unanswered", severity: "UNKNOWN", detail: "the answer says nothing about the token" },
  ]);
});

interface Flags {
  readonly mimics_exchange?: string;
  readonly flagged?: boolean;
}

describe("the imitated address", () => {
  const user = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
  const mimicsUser = { target: { ...clean.target, mimics_user: "1" } };

  test("the event's own user that resembles the target is named", () => {
    const users = ["0x1e227979f0b5bc691a70deaed2e0f39a6f538fd5", user];

    expect(find(mimicsUser, { ...subject, user_addresses: users })).toEqual([
      {
        finding: "mimics_user",
        severity: "BLOCK",
        detail: `looks like ${user}, which the user knows`,
        resembles: user,
      },
    ]);
  });

  test.each<[string, Subject]>([
    ["no user at all", { ...subject, user_addresses: [] }],
    ["no user who resembles it", { ...subject, user_addresses: ["0x1e227979f0b5bc691a70deaed2e0f39a6f538fd5"] }],
    ["only the target itself", { ...subject, user_addresses: [subject.address] }],
    ["a user that is no address", { ...subject, user_addresses: ["nonsense"] }],
    ["an unknown chain", { ...subject, chain_id: "nowhere", user_addresses: [user] }],
    ["a transaction", { type: "transaction", chain_id: "1", transaction_sha256: "00", user_addresses: [user] }],
  ])("with %s the flag stands without a name", (_name, about) => {
    expect(find(mimicsUser, about)).toEqual([
      { finding: "mimics_user", severity: "BLOCK", detail: "looks like an address the user knows" },
    ]);
  });

  test("a target that is the user's own counts as known if it resembles another of the user's addresses", () => {
    const [finding, ...others] = find(mimicsUser, { ...subject, user_addresses: [subject.address, user] }) ?? [];

    expect(others).toEqual([]);
    expect(finding).toEqual({
      finding: "known_address_mimics",
      severity: "WARN",
      detail: `${subject.address} is itself in the user's addresses or on an allow list, and looks like ${user}: one of the two may be an imitation`,
      resembles: user,
    });
  });

  test.each([
    [
      "the service says that the target looks like a label",
      { mimics_exchange: "1" },
      ["mimics_user", "mimics_exchange"],
    ],
    ["another target of the event is flagged too", { flagged: true }, ["mimics_user"]],
  ])("a target that is the user's own is blocked when %s", (_name, { flagged, ...flags }: Flags, findings) => {
    const stranger = "0x1e227979f0b5bc691a70deaed2e0f39a6f538fd5";
    const data = {
      target: { ...mimicsUser.target, ...flags },
      ...(flagged === true ? { flagged: [subject.address, stranger] } : {}),
    };
    const found = find(data, { ...subject, user_addresses: [subject.address, user] }) ?? [];

    expect(found.map(({ finding, severity }) => [finding, severity])).toEqual(findings.map((each) => [each, "BLOCK"]));
  });

  test("a text that is too long for an address appears in no reason", () => {
    const data = { target: { ...clean.target, mimics_exchange: "1", matched_address: "a".repeat(320_000) } };

    const [found] = find(data) ?? [];

    expect([found?.severity, found?.resembles]).toEqual(["BLOCK", undefined]);
    expect(JSON.stringify(found).length).toBeLessThan(500);
  });

  test("the labelled address that the service matched is named", () => {
    const data = {
      target: {
        ...clean.target,
        mimics_exchange: "1",
        matched_address: "0xabc",
        matched_name: "Wormhole token bridge",
      },
      token: { ...clean.token, mimics_top_token: "1", matched_token: "USDT", matched_address: "0xdef" },
    };

    expect(find(data)).toEqual([
      {
        finding: "mimics_exchange",
        severity: "BLOCK",
        detail: "looks like 0xabc, Wormhole token bridge (a label)",
        resembles: "0xabc",
      },
      {
        finding: "mimics_top_token",
        severity: "BLOCK",
        detail: "the token contract looks like that of USDT",
        resembles: "0xdef",
      },
    ]);
  });
});

test.each([
  [{}, "looks like a known exchange, bridge or protocol address"],
  [{ matched_name: "" }, "looks like a known exchange, bridge or protocol address"],
  [{ matched_address: "0xabc" }, "looks like 0xabc, a labelled address"],
  [{ matched_name: "Wormhole" }, "looks like Wormhole (a label)"],
  [{ matched_address: "0xa\u001b[2J", matched_name: "a\nb" }, "looks like 0xa\uFFFD[2J, a\uFFFDb (a label)"],
])("for a label with %j the reason says: %s", (extras, detail) => {
  const [found] = find({ target: { ...clean.target, mimics_exchange: "1", ...extras } }) ?? [];

  expect(found?.detail).toBe(detail);
});

test("the service's token name and list of missing evidence cannot control a terminal", () => {
  const data = {
    target: { ...clean.target, unknown: ["a\u001b[2J"] },
    token: { ...clean.token, mimics_top_token: "1", matched_token: "USD\u202eT" },
  };

  expect(find(data)?.map(({ detail }) => detail)).toEqual([
    "the service has no evidence on a\uFFFD[2J",
    "the token contract looks like that of USD\uFFFDT",
  ]);
});

test.each([
  [["is_poisoning"], undefined, "is_poisoning"],
  ["is_poisoning", [], "is_poisoning"],
  [undefined, ["mimics_top_token"], "mimics_top_token"],
  // Users of an address event are compared by the worker itself.
  [["is_poisoning", "mimics_user"], ["mimics_top_token"], "is_poisoning, mimics_top_token"],
])(
  "flags that the service has no evidence for, %j of the target and %j of the token, are UNKNOWN",
  (own, its, names) => {
    const data = { target: { ...clean.target, unknown: own }, token: { ...clean.token, unknown: its } };

    expect(find(data)).toEqual([
      { finding: "unknown", severity: "UNKNOWN", detail: `the service has no evidence on ${names}` },
    ]);
  },
);

describe("a comparison that the service does not make", () => {
  const data = { target: { ...clean.target, unknown: ["mimics_user", "mimics_exchange"] } };

  test("a missing comparison with labels is UNKNOWN by its own row, and the worker compares the users", () => {
    const detail = "the service makes no comparison for mimics_exchange";
    const transaction = { type: "transaction", chain_id: "1", transaction_sha256: "0".repeat(64) } as const;

    for (const about of [subject, transaction]) {
      expect(find(data, about)).toEqual([{ finding: "not_compared", severity: "UNKNOWN", detail }]);
    }
  });

  test("a missing comparison with labels is a note if the policy says so", () => {
    const rows = { ...table.findings.poisoning, not_compared: "INFO" } as const;
    const about = { subject, table: { ...table, findings: { ...table.findings, poisoning: rows } } };

    expect(poisoningRule(data, about)?.map(({ severity }) => severity)).toEqual(["INFO"]);
  });
});

describe("an imitation of the event's own user by the worker's own rule", () => {
  const user = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
  const imitator = { target: subject.address, user };
  const about = (more: object) => ({ ...subject, user_addresses: [user], ...more });
  const named = (found: ReturnType<typeof find>) => found?.map(({ finding, severity }) => [finding, severity]);

  test.each([
    ["says '0' of it", clean.target, "says that the target does not"],
    ["does not compare users", { ...clean.target, unknown: ["mimics_user"] }, "does not compare users"],
  ])("the imitation is blocked when the service %s", (_what, target, said) => {
    expect(find({ target, imitators: [imitator] }, about({}))).toEqual([
      {
        finding: "mimics_user",
        severity: "BLOCK",
        detail: `${subject.address} looks like ${user}, which the user knows; the service ${said}`,
        resembles: user,
      },
    ]);
  });

  test("the imitation is a warning when the target is a user's address or an operator's list allows it", () => {
    const ofUser = { target: clean.target, imitators: [{ ...imitator, is_user: true as const }] };
    const allowed = new Set([subject.address]);

    expect(named(find(ofUser, about({ user_addresses: [user, subject.address] })))).toEqual([
      ["known_address_mimics", "WARN"],
    ]);
    expect(
      named(poisoningRule({ target: clean.target, imitators: [imitator] }, { subject: about({}), table, allowed })),
    ).toEqual([["known_address_mimics", "WARN"]]);
  });

  test("the imitation is reported for a transaction, and only the worst of several", () => {
    const transaction = { type: "transaction", chain_id: "1", transaction_sha256: "0".repeat(64) } as const;
    const imitators = [{ target: user, user: subject.address, is_user: true as const }, imitator];

    expect(named(find({ target: { ...clean.target, unknown: ["mimics_user"] }, imitators }, transaction))).toEqual([
      ["mimics_user", "BLOCK"],
    ]);
  });
});

test.each([
  ["nothing", undefined],
  ["null", null],
  ["no target", { token: clean.token }],
  ["a target without one flag", { target: { is_poisoning: "0", mimics_user: "0" } }],
  ["a flag that is a number", { target: { ...clean.target, is_poisoning: 0 } }],
  ["a flag that is a boolean", { target: { ...clean.target, mimics_user: false } }],
  ["a flag of another value", { target: { ...clean.target, mimics_exchange: "2" } }],
  ["a name that is no text", { target: { ...clean.target, matched_name: 7 } }],
  ["a null token", { target: clean.target, token: null }],
  ["an empty token", { target: clean.target, token: {} }],
  ["an item that failed", { target: { chain_id: "1", address: "a", error: { code: "x", detail: "y" } } }],
])("evidence with %s cannot be read", (_name, data) => {
  expect(find(data)).toBeUndefined();
});

test("new fields of the service have no effect", () => {
  expect(find({ target: { ...clean.target, confidence: "0.3" }, more: 1 })).toEqual([]);
});

test("a burn address is reported, whatever else was found", () => {
  const zero = `0x${"0".repeat(40)}`;
  const note = {
    finding: "nobodys_address",
    severity: "INFO",
    detail: `no key exists for ${zero}: a payment to this address is lost`,
  };
  const toZero = { ...subject, address: zero };

  expect(find({ target: clean.target }, toZero)).toEqual([note]);
  expect(find({ target: { ...clean.target, is_poisoning: "1" } }, toZero)?.map(({ finding }) => finding)).toEqual([
    "is_poisoning",
    "nobodys_address",
  ]);
});

test("a TRON address is recognised as a burn address in any spelling, and other addresses are not reported", () => {
  const onTron = (address: string) =>
    find({ target: clean.target }, { ...subject, chain_id: "728126428", address })?.map(({ detail }) => detail);

  expect(onTron(`41${"0".repeat(40)}`)).toEqual([
    "no key exists for T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb: a payment to this address is lost",
  ]);
  expect(onTron("41a614f803b6fd780986a42c78ec9c7f77e6ded13c")).toEqual([]);
  expect(onTron("no address")).toEqual([]);
});

test("a part without an answer is UNKNOWN, beside the other answers and however little they count", () => {
  const unanswered = [{ code: "SERVICE_UNAVAILABLE", detail: "the service answered 503" }];
  const missing = { finding: "SERVICE_UNAVAILABLE", severity: "UNKNOWN", detail: "the service answered 503" };
  const mild = { ...table.findings.poisoning, is_poisoning: "INFO" } as const;
  const flagged = { target: { ...clean.target, is_poisoning: "1" }, unanswered };
  const byMild = { subject, table: { ...table, findings: { ...table.findings, poisoning: mild } } };

  expect(find({ target: clean.target, unanswered })).toEqual([missing]);
  expect(poisoningRule(flagged, byMild)).toEqual([
    { finding: "is_poisoning", severity: "INFO", detail: "the service calls the address poisoning" },
    missing,
  ]);
  expect(find({ target: clean.target, unanswered: "none" })).toBeUndefined();
});

test("a flag without evidence is UNKNOWN, also for the token, and an empty list has no effect", () => {
  const finding = (names: string) => ({
    finding: "unknown",
    severity: "UNKNOWN",
    detail: `the service has no evidence on ${names}`,
  });
  const both = (ofTarget: object, ofToken: object) =>
    find({ target: { ...clean.target, ...ofTarget }, token: { ...clean.token, ...ofToken } });

  expect(both({}, { unknown: ["mimics_top_token"] })).toEqual([finding("mimics_top_token")]);
  expect(both({ unknown: ["a"] }, { unknown: ["b"] })).toEqual([finding("a, b")]);
  expect(both({ unknown: [] }, {})).toEqual([]);
});

test("in unreadable evidence a raised flag adds no reason", () => {
  const unreadable = { type: "unreadable", record_sha256: "" } as const;

  expect(find({ target: { ...clean.target, mimics_user: "1" } }, unreadable)).toEqual([
    { finding: "mimics_user", severity: "BLOCK", detail: "looks like an address the user knows" },
  ]);
});

test("all answers without findings share one empty list", () => {
  expect(find({ target: clean.target })).toBe(find({ target: clean.target }));
  expect(find({ target: clean.target }, { type: "unreadable", record_sha256: "" })).toBe(
    find({ target: clean.target }),
  );
});

describe("an event without users", () => {
  const note = {
    finding: "no_users",
    severity: "INFO",
    detail: "the event names no address that its user knows: Weir compared the address with labels and lists only",
  };
  const { user_addresses: _users, ...nobody } = subject;

  test("an event without users and without findings states that it has no users", () => {
    expect(find({ target: clean.target }, nobody)).toEqual([note]);
    expect(find({ target: clean.target }, { ...subject, user_addresses: [] })).toEqual([note]);
    expect(find({ target: clean.target })).toEqual([]);
  });

  test("an event without users and with findings has only these findings", () => {
    const found = find({ target: { ...clean.target, mimics_exchange: "1" } }, nobody);

    expect(found?.map(({ finding }) => finding)).toEqual(["mimics_exchange"]);
  });
});
