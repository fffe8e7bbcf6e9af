// What stands on top of the portal, and which holdings have a chart.
import { expect, test } from "bun:test";
import { expiriesOf, hasSchedule } from "../../src/web/pages/mine/expiries.ts";

test("what has expired or does within 90 days stands on top, the soonest first", () => {
  const days = ["2026-04-01", "2026-03-31", null, "2025-12-31", "2026-01-01"];
  const found = expiriesOf(
    days.map((expirationDate) => ({ expirationDate })),
    "2025-12-31",
  );
  expect(found.map(({ day, isPast }) => [day, isPast])).toEqual([
    ["2025-12-31", false],
    ["2026-01-01", false],
    ["2026-03-31", false],
  ]);
  expect(expiriesOf([{ expirationDate: "2025-12-30" }], "2025-12-31").map(({ isPast }) => isPast)).toEqual([true]);
});

test("a chart is drawn of what vests, not of shares that have vested", () => {
  const vested = { unvested: "0", vestingStartDate: "2024-01-01" };
  expect(hasSchedule({ type: "STOCK", ...vested })).toBe(false);
  expect(hasSchedule({ type: "STOCK", ...vested, unvested: "5" })).toBe(true);
  expect(hasSchedule({ type: "STOCK_OPTION", ...vested })).toBe(true);
  expect(hasSchedule({ type: "STOCK_OPTION", unvested: "0", vestingStartDate: null })).toBe(false);
  expect(hasSchedule({ type: "CONVERTIBLE", unvested: "1", vestingStartDate: null })).toBe(false);
});
