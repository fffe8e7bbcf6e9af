// The garbage of a large package is collected as memory grows, and a small one costs nothing.
import { afterAll, afterEach, expect, spyOn, test } from "bun:test";
import { GarbageWatch } from "../../../src/exchange/ocf/import/collect-garbage.ts";

const MEBIBYTE = 2 ** 20;
const collecting = spyOn(Bun, "gc");
const rss = spyOn(process.memoryUsage, "rss");

afterEach(() => collecting.mockClear());
afterAll(() => {
  collecting.mockRestore();
  rss.mockRestore();
});

function look(watch: GarbageWatch, ...sizes: readonly number[]): number {
  for (const size of sizes) {
    rss.mockReturnValue(size * MEBIBYTE);
    watch.look();
  }
  return collecting.mock.calls.length;
}

test("it is collected once memory has grown by 48 MB above its least, and not again at once", () => {
  const watch = new GarbageWatch(100_000);
  expect(look(watch, 300, 340, 250, 297)).toBe(0);
  expect(look(watch, 299)).toBe(1);
  expect(look(watch, 400, 500)).toBe(1);
});

test("it is collected between the parts of the work, too", () => {
  new GarbageWatch(100_000).collect();
  expect(collecting.mock.calls.length).toBe(1);
});

test("a small package's is left to the runtime", () => {
  const watch = new GarbageWatch(1000);
  watch.collect();
  expect(look(watch, 100, 900)).toBe(0);
});
