// What an entry says besides its columns: names that are stored, and what is read where something else stands there.
import { expect, test } from "bun:test";
import { toStored } from "../../src/ledger/imported-members.ts";
import { membersOf } from "../../src/ledger/members.ts";

test("what an import adds is stored under the names that ledgers have, in the order in which it is named", () => {
  const effect = {
    taken: "10",
    status: "TRANSFERRED",
    returned: "4",
    replaced: "1",
    granted: "2",
    exercised: "3",
  } as const;
  const piece = { lastSeq: 7, upTo: 9, isLast: true, isApart: true, isLate: true } as const;
  const names = { objectType: "TX_STOCK_TRANSFER", objectId: "t-1", resultOf: "t-0" };
  const stored = toStored({ ...names, ...effect, exercisePrice: "0.5", ...piece });
  expect(JSON.stringify(stored)).toBe(
    '{"ocfObjectType":"TX_STOCK_TRANSFER","ocfId":"t-1","ocfResultOf":"t-0","ocfTaken":"10","ocfStatus":"TRANSFERRED",' +
      '"ocfReturned":"4","ocfReplaced":"1","ocfGranted":"2","ocfExercised":"3","ocfExercisePrice":"0.5",' +
      '"ocfLastSeq":7,"ocfUpTo":9,"ocfIsLast":true,"ocfApart":true,"ocfIsLate":true}',
  );
  const { imported } = membersOf({ metadata: stored });
  const { isApart: _isApart, ...told } = piece;
  expect(imported).toMatchObject({ ...names, ...effect, exercisePrice: "0.5", ...told, hasEffect: true });
});

test("an entry of our own has nothing of an import", () => {
  const { imported } = membersOf({ metadata: { stockClassId: "c", exercisePrice: "1", status: "ACTIVE" } });
  expect([imported.objectType, imported.taken, imported.returned, imported.exercisePrice]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect([imported.hasEffect, imported.isLast, imported.isLate]).toEqual([false, false, false]);
});

test("what is not what belongs there is left out", () => {
  const odd = membersOf({
    metadata: {
      stockClassId: 5,
      charges: {},
      dates: "x",
      parcels: null,
      after: null,
      resultingSecurityIds: "s",
      directEdit: 1,
    },
  });
  expect([odd.stockClassId, odd.charges, odd.isDirectEdit]).toEqual([null, null, false]);
  expect([odd.dates, odd.resultingSecurityIds, odd.after]).toEqual([[], [], {}]);
  expect(odd.parcels).toEqual({ moved: null, left: null, exercised: [] });
});

test("prices that an entry names are its own, null included", () => {
  expect(membersOf({ metadata: { prices: { pricePerShare: null } } }).prices).toEqual({
    pricePerShare: null,
    exercisePrice: null,
  });
  expect(membersOf({ metadata: { pricePerShare: "1" } }).prices).toBeNull();
});
