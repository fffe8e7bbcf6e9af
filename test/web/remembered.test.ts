// What pages remember, without a browser: read again by tags, quietly, by organization, and when.
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from "bun:test";

/** What is remembered under a key, as a test looks at it. */
interface Entry {
  data: unknown;
  error: unknown;
  load(signal: AbortSignal, publish: (part: unknown) => void): Promise<unknown>;
  readonly watchers: Set<() => void>;
}
/** Loaded by their names: their types bring those of browsers with them, which are not those of the program. */
const load = (name: string) => import(`../../src/web/api/${name}.ts`);
const { gone, isGone } = await load("problem");
const { readSoon } = await load("read-soon");
const { PartRequest, sendPart } = await load("reading");
const { changedElsewhere, forgetQueries, read, readAgain, ...remembered } = await load("remembered");
const entryOf = remembered.entryOf as (key: string, load: Entry["load"]) => Entry;

/** What the server answers by path; each answer has the tag of its body. */
const answers = new Map<string, string>();
const asked: { path: string; tag: string | null; isBackground: boolean }[] = [];
const server = Bun.serve({
  port: 0,
  fetch(request) {
    const path = new URL(request.url).pathname;
    const tag = request.headers.get("if-none-match");
    asked.push({ path, tag, isBackground: request.headers.get("captable-background") === "1" });
    const body = answers.get(path);
    if (body === undefined) return Response.json({ type: "x/not-found" }, { status: 404 });
    const own = `"${Bun.hash(body)}"`;
    return tag === own ? new Response(null, { status: 304 }) : new Response(body, { headers: { etag: own } });
  },
});
afterAll(() => server.stop(true));
beforeEach(() => {
  answers.clear();
  asked.length = 0;
});
afterEach(() => forgetQueries());

/** Something that a component shows, and how often it was drawn for it. */
async function shown(key: string, ...paths: string[]) {
  const entry = entryOf(key, async (signal) =>
    Promise.all(
      paths.map(async (path) => (await sendPart(new PartRequest(new URL(path, server.url), { signal }))).json()),
    ),
  );
  const drawn = { count: 0 };
  entry.watchers.add(() => {
    drawn.count += 1;
  });
  await read(entry);
  drawn.count = 0;
  asked.length = 0;
  return { entry, drawn };
}

describe("what happened elsewhere", () => {
  test("is read again by tag and in the background; where nothing is new, nothing is drawn", async () => {
    answers.set("/a", "[1]").set("/b", "[2]");
    const { entry, drawn } = await shown('["one","list"]', "/a", "/b");
    const before = entry.data;
    changedElsewhere("one", []);
    await readAgain();
    expect(asked.map(({ path, isBackground, tag }) => [path, isBackground, tag !== null])).toEqual([
      ["/a", true, true],
      ["/b", true, true],
    ]);
    expect([entry.data === before, drawn.count]).toEqual([true, 0]);

    answers.set("/b", "[3]");
    changedElsewhere("one", []);
    await readAgain();
    expect([entry.data, drawn.count]).toEqual([[[1], [3]], 1]);
    // The tag is that of the newest answer.
    changedElsewhere("one", []);
    await readAgain();
    expect(drawn.count).toBe(1);
  });

  test("is of one organization", async () => {
    answers.set("/a", "[1]");
    await shown('["one","list"]', "/a");
    changedElsewhere("other", []);
    await readAgain();
    expect(asked).toEqual([]);
  });

  test("while an answer is on its way makes it old, too", async () => {
    answers.set("/a", "[1]");
    const { entry } = await shown('["one","list"]', "/a");
    const { promise: isHeld, resolve: letGo } = Promise.withResolvers<void>();
    const { load } = entry;
    entry.load = async (...args) => {
      const data = await load(...args);
      await isHeld;
      return data;
    };
    const reading = read(entry);
    changedElsewhere("one", []);
    answers.set("/a", "[2]");
    const again = readAgain();
    entry.load = load;
    letGo();
    await Promise.all([reading, again]);
    expect(entry.data).toEqual([[2]]);
  });

  test("that a record was deleted is shown without asking for it, and what was read stays", async () => {
    answers.set("/things/t1", "[1]").set("/things/t1/more", "[2]").set("/things", "[3]");
    const one = await shown('["one","t1"]', "/things/t1");
    const more = await shown('["one","more"]', "/things/t1/more");
    const list = await shown('["one","list"]', "/things");
    changedElsewhere("one", ["t1"]);
    await readAgain();
    expect([one, more, list].map(({ entry }) => isGone(entry.error))).toEqual([true, true, false]);
    expect(one.entry.data).toEqual([[1]]);
    expect(asked.map(({ path }) => path)).toEqual(["/things"]);
  });

  test("that cannot be read leaves what is shown, unless it is gone", async () => {
    answers.set("/a", "[1]");
    const { entry, drawn } = await shown('["one","list"]', "/a");
    const { load } = entry;
    entry.load = () => Promise.reject(new Error("no answer"));
    changedElsewhere("one", []);
    await readAgain();
    expect([entry.data, entry.error, drawn.count]).toEqual([[[1]], null, 0]);
    entry.load = load;
    answers.clear();
    entry.load = async () => {
      throw gone();
    };
    await readAgain();
    expect([entry.data, isGone(entry.error)]).toEqual([[[1]], true]);
  });
});

test("of a list that is shown whole, no part is shown while it is read again", async () => {
  const parts: unknown[] = [];
  const entry: Entry = entryOf('["one","parts"]', async (_signal, publish) => {
    publish(["first"]);
    return ["first", "second"];
  });
  entry.watchers.add(() => void parts.push(entry.data));
  await read(entry);
  expect(parts).toContainEqual(["first"]);
  parts.length = 0;
  await read(entry);
  expect(parts).not.toContainEqual(["first"]);
});

describe("reading again", () => {
  /** Moments of reading, in milliseconds, where something happens at others. */
  async function readsAt(happens: readonly number[], until: number): Promise<number[]> {
    jest.useFakeTimers();
    try {
      const begunMs = Date.now();
      const reads: number[] = [];
      const entry = entryOf('["one","timed"]', async () => {
        reads.push(Date.now() - begunMs);
        return reads.length;
      });
      entry.watchers.add(() => undefined);
      await read(entry);
      reads.length = 0;
      for (let ms = 0; ms <= until; ms += 50) {
        if (happens.includes(ms)) {
          changedElsewhere("one", []);
          readSoon();
        }
        jest.advanceTimersByTime(50);
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      }
      return reads;
    } finally {
      jest.useRealTimers();
    }
  }

  test("comes 300 ms after the last of several, and at most every two seconds", async () => {
    const [first = 0, second = 0, ...others] = await readsAt([5000, 5100, 5200, 5900], 12_000);
    expect([first, others.length]).toEqual([5500, 0]);
    expect(second - first).toBeGreaterThanOrEqual(2000);
    expect(second - first).toBeLessThanOrEqual(2100);
  });

  test("comes two seconds after the first of many that do not end", async () => {
    const happens = Array.from({ length: 120 }, (_, at) => 20_000 + at * 100);
    const reads = await readsAt(happens, 33_000);
    expect(reads[0]).toBe(22_000);
    const gaps = reads.slice(1).map((each, at) => each - (reads[at] ?? 0));
    expect(gaps.every((gap) => gap >= 2000 && gap <= 2400)).toBe(true);
    expect(reads.length).toBeGreaterThan(4);
  });
});
