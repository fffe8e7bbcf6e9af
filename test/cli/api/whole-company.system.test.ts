// A founder's first hour (docs/first-hour.md) by `captable api` in place of curl: the same company comes of it.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { blocksOf, newDesk } from "../../kit/as-typed.ts";

setDefaultTimeout(120_000);

const blocks = blocksOf(readFileSync(resolve("docs/first-hour.md"), "utf8"));
const commands = blocks.filter(({ language, text }) => language === "sh" && text !== "captable serve");
const END = "-- end of the block --";
const CURL = /call\(\) \{[\s\S]*?\n\}\n?/;
const CALL = `export CAPTABLE_SERVER=http://127.0.0.1:8080 CAPTABLE_KEY_FILE=office.key
call() {
  if [ -n "\${3:-}" ]; then answer=$(printf '%s' "$3" | captable api "$1" "/api/v1/$2" --data - --yes --json)
  else answer=$(captable api "$1" "/api/v1/$2" --yes --json); fi
  printf '%s\\n' "$answer"
  id=$(printf '%s\\n' "$answer" | grep -oE '"(id|securityId|newSecurityId)":"[^"]+' | head -n 1 | cut -d '"' -f 4)
}
`;

const desk = newDesk("whole-company");
afterAll(desk.clear);

test("the first hour by commands ends in the cap table and the holdings that it prints", async () => {
  await desk.startServer();
  const typed = commands.map(({ text }) => `${text}\necho "${END}"`).join("\n");
  expect(typed).toMatch(CURL);
  const shown = await desk.type(typed.replace(CURL, CALL));
  await desk.stopServer();
  const answers = shown.split(`${END}\n`).slice(0, -1);
  let compared = 0;
  for (const [at, block] of commands.entries()) {
    if (!/^captable (cap-table|holder) /.test(block.text)) continue;
    expect(answers[at]?.trim()).toBe(blocks[blocks.indexOf(block) + 1]?.text ?? "");
    compared++;
  }
  expect(compared).toBe(4);
});
