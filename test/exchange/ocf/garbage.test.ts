// The garbage of a large package is collected as memory grows, and a small one costs nothing.
import { afterAll, afterEach, expect, spyOn, test } from "bun:test";
import { GarbageWatch } from "../../../src/exchange/ocf/import/collect-garbage.ts";

const MEBIBYTE = 2 ** 20;
const collecting = spyOn(Bun, "gc");
const rss = spyOn(process.memoryUsage, "rss");
const clock = spyOn(performance, "now");
let nowMs = 0;

afterEach(() => collecting.mockClear());
afterAll(() => {
  collecting.mockRestore();
  rss.mockRestore();
  clock.mockRestore();
});

/** Looks every 60 ms, at these sizes in megabytes; returns how often it was collected. */
function look(watch: GarbageWatch, ...sizes: readonly number[]): number {
  for (const size of sizes) {
    nowMs += 60;
    clock.mockReturnValue(nowMs);
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

test("the size is asked for 20 times a second at most", () => {
  const watch = new GarbageWatch(100_000);
  look(watch, 300);
  rss.mockClear();
  for (let ms = 0; ms < 500; ms += 5) {
    nowMs += 5;
    clock.mockReturnValue(nowMs);
    watch.look();
  }
  expect(rss.mock.calls.length).toBe(10);
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
