import { expect, test } from "vitest";
import { unreadLines } from "../../../../src/cli/terminal/unread-lines.ts";
import type { UnreadAddress } from "../../../../src/messages/unread/unread-addresses.ts";

const memo: UnreadAddress = {
  name: "memo",
  kind: "column",
  isTelling: false,
  mayBeHash: false,
  meant: "users",
  events: 3,
  first: "line 2",
};
const users = "name it user_addresses if the user knows them, or address if they are to be screened";

test.each<[string, Partial<UnreadAddress>, string]>([
  [
    "a column",
    {},
    `column memo is not read and holds addresses in 3 events, first in line 2: ${users}; --ignore memo leaves it out`,
  ],
  [
    "a column whose events are refused, with its name as a shell takes it",
    { name: "From (Bob's)", isTelling: true, events: 9_990 },
    `column From (Bob's) is not read and holds addresses in 9990 events, first in line 2; those events are refused: ${users}; --ignore 'From (Bob'\\''s)' leaves it out`,
  ],
  [
    "a column of contracts",
    { name: "contract", meant: "token", events: 1 },
    "column contract is not read and holds addresses in 1 event, first in line 2: name it token_address if it is the contract of the token; --ignore contract leaves it out",
  ],
  [
    "an explorer's column of senders",
    { name: "From", isTelling: true },
    "column From is not read and holds addresses in 3 events, first in line 2; those events are refused: for withdrawals name it user_addresses, and To address; for deposits name it address, and To user_addresses; --ignore From leaves it out",
  ],
  [
    "an explorer's column of receivers",
    { name: "to_address", isTelling: true },
    "column to_address is not read and holds addresses in 3 events, first in line 2; those events are refused: for deposits name it user_addresses, and From address; for withdrawals name it address, and From user_addresses; --ignore to_address leaves it out",
  ],
  [
    "a column of digits without 0x",
    { name: "commit", mayBeHash: true },
    `column commit is not read and holds 40 hex digits without 0x, as addresses and hashes have, in 3 events, first in line 2: if they are addresses, write 0x in front and ${users}; --ignore commit leaves it out`,
  ],
  [
    "a field of one event that is refused",
    { name: "data.to", kind: "field", isTelling: true, events: 1, first: "orders/0/17" },
    `field data.to is not read and holds addresses in 1 event, first in orders/0/17; that event is refused: ${users}; move it into ref to leave it out`,
  ],
])("%s", (_what, own, line) => {
  expect(unreadLines({ fields: [{ ...memo, ...own }], beyond: 0 })).toEqual([line]);
});

test("names above the limit are counted, and without unread addresses there is no line", () => {
  expect(unreadLines({ fields: [memo], beyond: 7 })[1]).toBe("and 7 more in other fields, which are not listed");
  expect(unreadLines({ fields: [], beyond: 0 })).toEqual([]);
});
