// Functions of modules that are loaded when they are first needed.
import { expect, test } from "bun:test";
import { later, loading, needing } from "../../src/resources/route.ts";

/** A function of a module, and how often that was loaded. */
function counted(failures = 0) {
  const counts = { loads: 0, makes: 0 };
  const run = later(
    async () => {
      if (counts.loads++ < failures) throw new Error("it cannot be read");
      return { add: (one: number, other: number) => one + other };
    },
    ({ add }) => {
      counts.makes++;
      return (one: number, other: number) => add(one, other);
    },
  );
  return { run, counts };
}

test("a function is called once its module is loaded, which is loaded once", async () => {
  const { run, counts } = counted();
  expect(counts.loads).toBe(0);
  await loading(run);
  expect([run(1, 2), run(2, 3), loading(run)]).toEqual([3, 5, null]);
  expect(counts).toEqual({ loads: 1, makes: 1 });
});

test("before that, calling it is an error of the caller", () => {
  expect(() => counted().run(1, 2)).toThrow("what is loaded before it is called");
});

test("what could not be loaded is loaded again by the next one that needs it", async () => {
  const { run } = counted(1);
  expect(loading(run) ?? Promise.resolve()).rejects.toThrow("it cannot be read");
  await loading(run)?.catch(() => undefined);
  await loading(run);
  expect(run(1, 2)).toBe(3);
});

test("a function that calls one needs what that needs; any other needs nothing", async () => {
  const { run } = counted();
  const outer = needing(run, (one: number) => run(one, one));
  await loading(outer);
  expect([outer(2), loading(run)]).toEqual([4, null]);
  const plain = () => 1;
  expect([loading(plain), loading(needing(plain, () => 2))]).toEqual([null, null]);
});
