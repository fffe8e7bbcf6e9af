// The files of Open Cap Format import one another in no circle, types included: each can be read after those it names.
import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { Glob } from "bun";

type Imports = ReadonlyMap<string, readonly string[]>;

/** A way that leads from a file back to it; null without one. */
function circleIn(imports: Imports): readonly string[] | null {
  const done = new Set<string>();
  const follow = (file: string, way: readonly string[]): readonly string[] | null => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const imported of imports.get(file) ?? []) {
      const circle = follow(imported, [...way, file]);
      if (circle) return circle;
    }
    done.add(file);
    return null;
  };
  for (const file of imports.keys()) {
    const circle = follow(file, []);
    if (circle) return circle;
  }
  return null;
}

async function importsIn(file: string): Promise<[string, string[]]> {
  const text = await Bun.file(file).text();
  const named = [...text.matchAll(/(?:from |import\()"(\.[^"]+)"/g)].map(([, target = ""]) => target);
  return [file, named.map((target) => join(dirname(file), target))];
}

test("the files of exchange/ocf/ import in no circle", async () => {
  const files = [...new Glob("src/exchange/ocf/**/*.ts").scanSync(".")];
  expect(files.length).toBeGreaterThan(100);
  expect(circleIn(new Map(await Promise.all(files.map(importsIn))))).toBeNull();
});

test("a circle is found", () => {
  const imports = new Map([
    ["a", ["b"]],
    ["b", ["c", "d"]],
    ["d", ["b"]],
  ]);
  expect(circleIn(imports)).toEqual(["b", "d", "b"]);
});
