// Words that people read stand in src/web/text/ alone: so they can be looked through, and one day be said in other languages.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Glob } from "bun";
import typescript from "typescript5";

const FILES = [...new Glob("src/web/**/*.tsx").scanSync(".")].sort();
/** Attributes that are read aloud or shown. */
const SPOKEN = new Set(["aria-label", "label", "title", "placeholder", "alt", "words", "name", "submit", "hint"]);

/** The words in a component's source that a person would read. */
function proseIn(source: string): string[] {
  const file = typescript.createSourceFile("x.tsx", source, typescript.ScriptTarget.Latest, true, 4 /* TSX */);
  const found: string[] = [];
  const look = (node: import("typescript5").Node): void => {
    if (typescript.isJsxText(node) && /\p{L}{2}/u.test(node.text)) found.push(node.text.trim());
    if (typescript.isJsxAttribute(node) && SPOKEN.has(node.name.getText())) {
      const { initializer } = node;
      if (initializer && typescript.isStringLiteral(initializer) && /\s|^\p{Lu}/u.test(initializer.text)) {
        found.push(initializer.text);
      }
    }
    typescript.forEachChild(node, look);
  };
  look(file);
  return found;
}

test("no component holds prose", () => {
  expect(FILES.length).toBeGreaterThan(20);
  const sources = new Map(FILES.map((file) => [file, proseIn(readFileSync(file, "utf8"))]));
  expect([...sources].filter(([, prose]) => prose.length > 0)).toEqual([]);
});

test("prose would be found", () => {
  expect(proseIn('const a = <p title="Two words" name="name">Hello {name}</p>;')).toEqual(["Two words", "Hello"]);
  expect(proseIn('const a = <p class="two words">{WORDS.hello} · {b}</p>;')).toEqual([]);
});
