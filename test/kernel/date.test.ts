import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addDays, addMonths, addYears, dayNumber, isCalendarDate } from "../../src/kernel/date.ts";

/** A second opinion: the platform's own calendar. */
const anyDay = fc
  .date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9990-12-31T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe("calendar dates", () => {
  test.each(["2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"])("%s exists", (text) => {
    expect(isCalendarDate(text)).toBe(true);
  });

  test.each([
    "2023-02-29",
    "1900-02-29",
    "2023-02-30",
    "2023-04-31",
    "2023-13-01",
    "2023-00-10",
    "2023-01-00",
    "2023-1-1",
    "20230101",
    "2023-01-01T00:00:00Z",
    " 2023-01-01",
    "",
  ])("%p does not", (text) => expect(isCalendarDate(text)).toBe(false));

  test("every day of the platform's calendar is one, and days add up as there", () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -3000, max: 3000 }), (day, days) => {
        expect(isCalendarDate(day)).toBe(true);
        const moved = new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
        if (!moved.startsWith("-") && moved >= "0001") expect(addDays(day, days)).toBe(moved);
        if (moved >= "0001") expect(dayNumber(moved) - dayNumber(day)).toBe(days);
      }),
    );
  });

  test.each([
    ["2026-01-31", 1, "2026-02-28"],
    ["2024-01-31", 1, "2024-02-29"],
    ["2026-01-31", 2, "2026-03-31"],
    ["2026-11-30", 3, "2027-02-28"],
    ["2026-03-31", -1, "2026-02-28"],
    ["2026-01-15", -13, "2024-12-15"],
    ["9999-11-30", 2, "9999-12-31"],
  ])("%s plus %d months is %s", (date, months, expected) => expect(addMonths(date, months)).toBe(expected));

  test("ten years after 29 February is 28 February, the last day of that month", () => {
    expect(addYears("2024-02-29", 10)).toBe("2034-02-28");
    expect(addYears("2024-02-29", 4)).toBe("2028-02-29");
  });
});
