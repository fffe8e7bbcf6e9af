// What becomes of a form's members when another person changed its record, and what of a preview differs: by itself.
import { describe, expect, test } from "bun:test";
import { differencesOf } from "../../src/web/pages/actions/differences.ts";
import type { Changes } from "../../src/web/pages/actions/effects.ts";
import { type Merged, merge } from "../../src/web/parts/forms/merging.ts";
import { Random } from "../kit/random.ts";

type Values = Record<string, unknown>;
/** A comparison of such members. */
type Merge = (began: Values, mine: Values, theirs: Values) => Merged<Values>;
const NAMES = ["name", "email", "note", "rows"];
const VALUES: [string, ...string[]] = ["", "a", "b", "c"];
const ROWS: [unknown[], ...unknown[][]] = [[], [{ id: "1" }], [{ id: "1" }, { id: "2" }]];

/** What has to hold of every comparison; the names of the laws that do not. */
function broken(by: Merge, began: Values, mine: Values, theirs: Values): string[] {
  const { taken, disputed } = by(began, mine, theirs);
  const after = { ...mine, ...taken };
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const laws: [string, (name: string) => boolean][] = [
    ["what was typed stays", (name) => same(mine[name], began[name]) || same(after[name], mine[name])],
    ["what was not touched is theirs", (name) => !same(mine[name], began[name]) || same(after[name], theirs[name])],
    [
      "disputed is what both changed, to something different",
      (name) =>
        disputed.includes(name) ===
        (!same(mine[name], began[name]) && !same(theirs[name], began[name]) && !same(mine[name], theirs[name])),
    ],
    ["nothing is both taken and disputed", (name) => !(name in taken && disputed.includes(name))],
  ];
  return laws.filter(([, holds]) => !NAMES.every(holds)).map(([law]) => law);
}

function* cases() {
  const random = new Random(7);
  const values = (): Values =>
    Object.fromEntries(
      NAMES.map((name) => [name, name === "rows" ? structuredClone(random.pick(ROWS)) : random.pick(VALUES)]),
    );
  for (let n = 0; n < 3000; n += 1) {
    const began = values();
    const changed = (): Values => ({ ...structuredClone(began), ...(random.chance(0.5) ? values() : {}) });
    yield [began, changed(), changed()] as const;
  }
}

const brokenIn = (by: Merge) => [...new Set([...cases()].flatMap((each) => broken(by, ...each)))];

describe("members", () => {
  test("that one typed stay, others are as the record has them, and both changed is disputed", () => {
    const kinds = new Set<string>();
    for (const [began, mine, theirs] of cases()) {
      const { taken, disputed } = merge<Values>(began, mine, theirs);
      kinds.add(`${Object.keys(taken).length > 0} ${disputed.length > 0}`);
    }
    expect([...kinds].sort()).toEqual(["false false", "false true", "true false", "true true"]);
    expect(brokenIn(merge)).toEqual([]);
  });

  test("a comparison that overwrites, forgets or mistakes would be found out", () => {
    const takesAll: Merge = (_began, _mine, theirs) => ({ taken: theirs, disputed: [] });
    const keepsAll: Merge = () => ({ taken: {}, disputed: [] });
    const byIdentity: Merge = (began, mine, theirs) => {
      const names = Object.keys(theirs).filter((name) => theirs[name] !== began[name]);
      const isTouched = (name: string) => mine[name] !== began[name];
      const taken = Object.fromEntries(names.filter((name) => !isTouched(name)).map((name) => [name, theirs[name]]));
      return { taken, disputed: names.filter(isTouched) };
    };
    for (const mutant of [takesAll, keepsAll, byIdentity]) expect(brokenIn(mutant)).not.toEqual([]);
  });
});

describe("a preview", () => {
  const line = (id: string, after: string) => ({ id, label: id, before: "0", after });
  const changes = (...lines: Changes["lines"]): Changes => ({ lines, uses: [], shares: [] });

  test("is the same where each line is, in whatever order", () => {
    expect(differencesOf(changes(line("a", "1"), line("b", "2")), changes(line("b", "2"), line("a", "1")))).toBeNull();
  });

  test("differs by each line that is another or new, and says that one is gone", () => {
    const seen = changes(line("a", "1"), line("b", "2"));
    expect(differencesOf(seen, changes(line("a", "1"), line("b", "3")))).toEqual({
      ids: new Set(["b"]),
      isLess: false,
    });
    expect(differencesOf(seen, changes(line("a", "1"), line("b", "2"), line("c", "1")))?.ids).toEqual(new Set(["c"]));
    expect(differencesOf(seen, changes(line("a", "1")))).toEqual({ ids: new Set(), isLess: true });
    const share = { id: "x", name: "Ada", before: "1", after: "2" };
    expect(differencesOf({ ...seen, shares: [share] }, { ...seen, shares: [{ ...share, after: "3" }] })?.ids).toEqual(
      new Set(["x"]),
    );
  });
});
