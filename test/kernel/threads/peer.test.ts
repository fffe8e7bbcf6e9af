// Questions between threads: each is answered or refused where it was asked, also where the other end is lost, takes too
// long or has nothing to do; what may go together does.
import { describe, expect, test } from "bun:test";
import { Problem } from "../../../src/kernel/problem.ts";
import { Peer, type Sending, type Sent } from "../../../src/kernel/threads/peer.ts";
import { type StartThread, Thread, type ThreadLine } from "../../../src/kernel/threads/thread.ts";

interface Sums {
  add(numbers: readonly number[]): number;
  /** Asks the other end for a number. */
  addAsked(to: number): number;
  note(word: string): void;
  wait(nothing: null): void;
}
interface Numbers {
  number(nothing: null): number;
}

/** A thread here: messages are copied and arrive in a later turn. */
function startsHere({ notes = [] as string[], lines = [] as Sent[], sending = {} as Sending } = {}) {
  let lose: (error: Error) => void = () => undefined;
  let ended = 0;
  const start: StartThread = (take, fail): ThreadLine => {
    lose = fail;
    const peer = Peer.answering<Numbers, Sums>(
      (sent) => queueMicrotask(() => take(structuredClone(sent))),
      ({ ask }) => ({
        add: (numbers) => {
          if (numbers.length === 0) throw new Problem("validation-failed", "There is nothing to add.");
          return numbers.reduce((sum, each) => sum + each, 0);
        },
        addAsked: async (to) => to + (await ask("number", null)),
        note: (word) => void notes.push(word),
        wait: () => new Promise(() => undefined),
      }),
      sending,
    );
    return {
      send(sent, moved) {
        lines.push(sent);
        const copy = structuredClone(sent, { transfer: moved });
        setImmediate(() => peer.take(copy));
      },
      end: () => void ended++,
    };
  };
  return { start, lose: (error: Error) => lose(error), ended: () => ended, notes, lines };
}

const own = { number: () => 40 };
const late = () => new Error("too late");

describe("a question", () => {
  test("is answered, in whatever order, also by an end that asks back", async () => {
    const thread = new Thread<Sums, Numbers>({ start: startsHere().start, own });
    const asked = [thread.ask("addAsked", 2), thread.ask("add", [1, 2]), thread.ask("add", [5])];
    expect(await Promise.all(asked)).toEqual([42, 3, 5]);
    expect(await thread.ask("note", "x")).toBeNull();
    thread.end();
  });

  test("rejects with what the other end throws: a problem as one", async () => {
    const thread = new Thread<Sums, Numbers>({ start: startsHere().start, own });
    const refused = await thread.ask("add", []).catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(Problem);
    expect(refused).toMatchObject({ slug: "validation-failed", detail: "There is nothing to add." });
    expect(await thread.ask("add", [1])).toBe(1);
    thread.end();
  });

  test("gives its buffers away", async () => {
    const thread = new Thread<Sums, Numbers>({ start: startsHere().start, own });
    const bytes = new Uint8Array(8);
    await thread.ask("note", "moved", [bytes.buffer]);
    expect(bytes.byteLength).toBe(0);
    thread.end();
  });
});

describe("a thread", () => {
  test("that is lost fails what it was asked, and what is asked later, with one reason; its loss is reported once", async () => {
    const lost: string[] = [];
    const here = startsHere();
    const thread = new Thread<Sums, Numbers>({
      start: here.start,
      own,
      onLost: ({ message }) => void lost.push(message),
    });
    const asked = thread.ask("wait", null);
    here.lose(new Error("it fails"));
    here.lose(new Error("it has stopped"));
    await expect(asked).rejects.toThrow("it fails");
    await expect(thread.ask("add", [1])).rejects.toThrow("it fails");
    expect([thread.isOver, lost, here.ended()]).toEqual([true, ["it fails"], 1]);
  });

  test("that takes too long is ended, and no one that answers in time", async () => {
    const here = startsHere();
    const thread = new Thread<Sums, Numbers>({ start: here.start, own });
    expect(await thread.within({ ms: 60_000, late }, thread.ask("add", [1]))).toBe(1);
    await expect(thread.within({ ms: 0, late }, thread.ask("wait", null))).rejects.toThrow("too late");
    expect([thread.isOver, here.ended()]).toEqual([true, 1]);
  });

  test("that is asked nothing for a while ends; a question wakes it", async () => {
    const here = startsHere();
    const thread = new Thread<Sums, Numbers>({ start: here.start, own });
    const { promise: isOver, resolve } = Promise.withResolvers<void>();
    thread.restAfter(1, () => resolve());
    expect(await thread.ask("add", [1])).toBe(1);
    // Awake: it rests only when that is said again.
    await Bun.sleep(5);
    expect(thread.isOver).toBe(false);
    thread.restAfter(1, () => resolve());
    await isOver;
    expect([thread.isOver, here.ended()]).toEqual([true, 1]);
  });

  test("that was ended takes no answer any more, and reports no loss", async () => {
    const lost: Error[] = [];
    const here = startsHere();
    const thread = new Thread<Sums, Numbers>({ start: here.start, own, onLost: (error) => void lost.push(error) });
    const asked = thread.ask("add", [1]).catch(({ message }: Error) => message);
    thread.end(new Error("closed"));
    here.lose(new Error("it has stopped"));
    expect(await asked).toBe("closed");
    expect(lost).toEqual([]);
  });
});

test("questions of one turn go together, as do answers of one commit with what is said beside them", async () => {
  const said: string[] = [];
  const answers: Sending = {
    gathering: {
      isGathered: (message) => !("ask" in message),
      later: setImmediate,
      last: () => ({ ask: "number", question: null }),
    },
  };
  const here = startsHere({ sending: answers });
  const thread = new Thread<Sums, Numbers>({
    start: here.start,
    own: {
      number: () => {
        said.push("statistics");
        return 0;
      },
    },
    sending: { gathering: { isGathered: (message) => "ask" in message && message.ask === "add", later: setImmediate } },
  });
  const sums = [thread.ask("add", [1]), thread.ask("add", [2]), thread.ask("add", [3])];
  thread.tell("note", "at once");
  expect(await Promise.all(sums)).toEqual([1, 2, 3]);
  // The one that is not gathered goes at once; the three others are one text.
  expect(here.lines.map((sent) => typeof sent)).toEqual(["object", "string"]);
  expect(said).toEqual(["statistics"]);
  thread.ask("add", [4]).catch(() => undefined);
  thread.flush();
  expect(here.lines).toHaveLength(3);
  thread.end();
});
