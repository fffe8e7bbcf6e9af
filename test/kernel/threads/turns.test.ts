// Who is next where few may run at once: turns go round by organization, then by caller, and who asks for more than its
// share is refused alone.
import { describe, expect, test } from "bun:test";
import { availableParallelism } from "node:os";
import { type Asker, Round } from "../../../src/kernel/fair-queue.ts";
import { Problem } from "../../../src/kernel/problem.ts";
import { ClientGone, type TurnLimits, Turns } from "../../../src/kernel/threads/turns.ts";
import { READ_TURNS } from "../../../src/server/http/read-turns.ts";
import { randomFrom } from "../../kit/random.ts";

const never = new AbortController().signal;
const turnOfLoop = () => new Promise<void>((resolve) => setImmediate(resolve));
/** Lets each begin that may. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await turnOfLoop();
}

interface Named extends Asker {
  readonly name: string;
}

/** `A1` is of organization A and its caller A1. */
const of = (name: string): Named => ({ name, orgId: name.slice(0, 1), callerId: name.slice(0, 2) });

/** The names in the order in which they are served. */
function served(round: Round<Named>, may: (item: Named) => boolean = () => true): string[] {
  const names: string[] = [];
  for (let item = round.next(may); item !== null; item = round.next(may)) names.push(item.name);
  return names;
}

function roundOf(...names: readonly string[]): Round<Named> {
  const round = new Round<Named>();
  for (const name of names) round.add(of(name));
  return round;
}

describe("a round", () => {
  test("is served by organization, then by caller, then in the order in which they came", () => {
    const round = roundOf("A1a", "A1b", "A1c", "A2a", "A2b", "B1a", "B1b", "C1a");
    expect(served(round)).toEqual(["A1a", "B1a", "C1a", "A2a", "B1b", "A1b", "A2b", "A1c"]);
  });

  test("passes over what may not be served, which keeps its place", () => {
    const round = roundOf("A1a", "B1a", "A1b", "B1b");
    expect(round.next(({ orgId }) => orgId === "B")?.name).toBe("B1a");
    expect(served(round)).toEqual(["A1a", "B1b", "A1b"]);
  });

  test("puts what comes later behind those that wait, and forgets who has none waiting", () => {
    const round = roundOf("A1a", "A1b", "B1a");
    expect(round.next(() => true)?.name).toBe("A1a");
    round.add(of("C1a"));
    expect(served(round)).toEqual(["B1a", "A1b", "C1a"]);
    expect(round.ofOrganization("A")).toEqual([]);
  });

  test("gives up what waits no longer", () => {
    const round = new Round<Named>();
    const [gone, stays] = [of("A1a"), of("A1b")];
    round.add(gone);
    round.add(stays);
    round.remove(gone);
    round.remove(gone);
    expect(served(round)).toEqual(["A1b"]);
  });

  test("serves each of N organizations that waits among the next N, whatever the others ask for", () => {
    const random = randomFrom(4);
    for (let run = 0; run < 200; run++) {
      const round = new Round<Named>();
      const letters = "ABCDEFGH".slice(0, 2 + Math.floor(random() * 6));
      const passed = new Map<string, number>();
      for (let step = 0; step < 60; step++) {
        // The first organization floods, the others ask now and then.
        for (let n = 0; n < 5; n++) round.add(of(`A${n}x`));
        const other = letters[1 + Math.floor(random() * (letters.length - 1))] ?? "B";
        if (random() < 0.5 && round.ofOrganization(other).length === 0) round.add(of(`${other}1x`));
        const next = round.next(() => true);
        for (const letter of letters) {
          if (round.ofOrganization(letter).length > 0) passed.set(letter, (passed.get(letter) ?? 0) + 1);
          if (next?.orgId === letter) passed.set(letter, 0);
          expect(passed.get(letter) ?? 0).toBeLessThan(letters.length + 1);
        }
      }
    }
  });
});

/** Asks for turns under names, as {@link of} reads them, and remembers who has begun, in their order. */
function asking(limits: Partial<TurnLimits>) {
  const turns = new Turns({ ...READ_TURNS, ...limits });
  const begun: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    refused,
    async ask(name: string, isReport = false, signal = never): Promise<void> {
      try {
        const end = await turns.take({ ...of(name), isReport }, signal);
        begun.push(name);
        ends.set(name, end);
      } catch (thrown) {
        const what = thrown instanceof Problem ? `${thrown.slug} ${thrown.retryAfterSeconds}` : String(thrown);
        refused.push(`${name} ${thrown instanceof ClientGone ? "gone" : what}`);
      }
    },
    async end(name: string) {
      ends.get(name)?.();
      await settle();
    },
  };
}

describe("turns", () => {
  test("are one of a caller and two of an organization", async () => {
    const { ask, end, begun } = asking({ atOnce: 10 });
    for (const name of ["A1a", "A1b", "A2a", "A3a", "B1a"]) void ask(name);
    await settle();
    expect(begun).toEqual(["A1a", "A2a", "B1a"]);
    await end("A2a");
    expect(begun).toEqual(["A1a", "A2a", "B1a", "A3a"]);
    await end("A1a");
    expect(begun).toEqual(["A1a", "A2a", "B1a", "A3a", "A1b"]);
  });

  test("are one of a person in all its organizations", async () => {
    const turns = new Turns({ ...READ_TURNS, atOnce: 10 });
    const going = new AbortController();
    const asked = ["A", "B"].map((orgId) =>
      turns.take({ orgId, callerId: "Ada", isReport: false }, going.signal).then(
        () => orgId,
        (thrown) => (thrown instanceof ClientGone ? `${orgId} gone` : String(thrown)),
      ),
    );
    await settle();
    going.abort();
    expect(await Promise.all(asked)).toEqual(["A", "B gone"]);
  });

  test("are as many as there are cores, three at least, and one is left to what is no report", async () => {
    const atOnce = Math.max(3, availableParallelism());
    const { ask, begun } = asking({});
    for (let n = 0; n < atOnce; n++) void ask(`${String.fromCharCode(65 + n)}1`, true);
    await settle();
    expect(begun).toHaveLength(atOnce - 1);
    void ask("z1");
    void ask("y1");
    await settle();
    expect(begun.slice(atOnce - 1)).toEqual(["z1"]);
  });

  test("are one report's of an organization, and its other turn is for other reads", async () => {
    const { ask, end, begun } = asking({ atOnce: 10 });
    void ask("A1", true);
    void ask("A2", true);
    void ask("A3");
    void ask("B1", true);
    await settle();
    expect(begun).toEqual(["A1", "A3", "B1"]);
    await end("A3");
    expect(begun).toEqual(["A1", "A3", "B1"]);
    await end("A1");
    expect(begun).toEqual(["A1", "A3", "B1", "A2"]);
  });

  test("go round by organization, then caller, however many one of them asks for", async () => {
    const { ask, end, begun } = asking({ atOnce: 1 });
    for (const name of ["A1a", "A1b", "A1c", "A1d", "A2a", "B1a", "C1a", "C1b"]) void ask(name);
    await settle();
    for (let n = 0; n < 8; n++) await end(begun.at(-1) ?? "");
    expect(begun).toEqual(["A1a", "A1b", "B1a", "C1a", "A2a", "C1b", "A1c", "A1d"]);
  });

  test("for which eight of a caller wait, two of them for reports, refuse its next alone", async () => {
    const { ask, begun, refused } = asking({ atOnce: 1 });
    await ask("Z1");
    for (let n = 0; n < 3; n++) void ask(`A1${n}`, true);
    for (let n = 3; n < 10; n++) void ask(`A1${n}`);
    for (const other of ["A2x", "B1x"]) void ask(other);
    await settle();
    expect(refused).toEqual(["A12 rate-limited 5", "A19 rate-limited 5"]);
    expect(begun).toEqual(["Z1"]);
  });

  test("for which thirty-two of an organization wait refuse its next, and no other's", async () => {
    const { ask, refused } = asking({ atOnce: 1 });
    await ask("Z1");
    for (let n = 0; n < 33; n++) void ask(`A${n % 9}${n}`);
    for (let n = 0; n < 8; n++) void ask(`B1${n}`);
    await settle();
    expect(refused).toEqual(["A532 rate-limited 5"]);
  });

  test("that do not come in time are refused with 503 and when to ask again", async () => {
    const { ask, begun, end, refused } = asking({ atOnce: 2, patienceMs: 5 });
    await ask("A1a");
    await ask("A1b");
    expect(refused).toEqual(["A1b unavailable 5"]);
    await end("A1a");
    await ask("A1c");
    expect(begun).toEqual(["A1a", "A1c"]);
  });

  test("wait for none whose client has gone, whose place is free at once", async () => {
    const { ask, begun, end, refused } = asking({ atOnce: 2 });
    await ask("A1a");
    const going = new AbortController();
    const left = [ask("A1b", false, going.signal), ask("A1c", false, AbortSignal.abort())];
    void ask("A1d");
    going.abort();
    await Promise.all(left);
    expect(refused.toSorted()).toEqual(["A1b gone", "A1c gone"]);
    await end("A1a");
    expect(begun).toEqual(["A1a", "A1d"]);
  });

  test("taken in the order in which they were asked for would let one caller have them all: the round bites", async () => {
    // What the rule above forbids, with the same askers: a line that does not know who asks.
    const line = ["A1a", "A1b", "A1c", "A1d", "A2a", "B1a", "C1a", "C1b"];
    const round = new Round<Named>();
    for (const name of line) round.add({ name, orgId: "one", callerId: "one" });
    expect(served(round).indexOf("B1a")).toBe(5);
    expect(served(roundOf(...line)).indexOf("B1a")).toBe(1);
  });
});
