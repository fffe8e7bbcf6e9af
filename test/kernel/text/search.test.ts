import { expect, test } from "bun:test";
import { firstPlace, firstPlaceIn } from "../../../src/kernel/text/search.ts";

test("the first place is what a look at each in turn finds, and asks of few", () => {
  for (let count = 0; count < 70; count += 1) {
    for (let from = 0; from <= count; from += 1) {
      let asked = 0;
      const found = firstPlace(count, (place) => {
        asked += 1;
        expect(place).toBeWithin(0, count);
        return place >= from;
      });
      expect(found).toBe(from);
      expect(asked).toBeLessThan(8);
    }
  }
});

test("of items that are equal it is the first", () => {
  const items = [1, 3, 3, 3, 7];
  expect(firstPlaceIn(items, (item) => item >= 3)).toBe(1);
  expect(firstPlaceIn(items, (item) => item > 3)).toBe(4);
  expect(firstPlaceIn(items, (item) => item > 7)).toBe(5);
  expect(firstPlaceIn([], () => true)).toBe(0);
});
