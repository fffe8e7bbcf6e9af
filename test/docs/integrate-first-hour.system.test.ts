// docs/integrate.md, the first hour: its commands typed as they are printed there, in one shell on a new server, and its
// answers compared with what came.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { exitFor } from "../../cli/api/send.ts";
import { blocksOf, isAsPrinted, newDesk } from "../kit/as-typed.ts";

setDefaultTimeout(120_000);

const GUIDE = readFileSync(resolve("docs/integrate.md"), "utf8");
const SECTION = GUIDE.split(/^## /m).find((each) => each.startsWith("The first hour")) ?? "";
const END = "-- end of the block --";
const NEEDED = ["openapi-fetch", "standardwebhooks", "@stablelib/base64", "fast-sha256"];
/** What npm does with a package file, without the registry. */
const NPM = `npm() {
  [ "$1" = install ] || exit 64
  mkdir -p node_modules/@stablelib && tar -xzf "$2" && mv package node_modules/captable-client
  for name in ${NEEDED.join(" ")}; do ln -s "${resolve("node_modules")}/$name" "node_modules/$name"; done
}
export XDG_CONFIG_HOME="$PWD/config"
`;

/** A port that is free at the moment. */
async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port = 0 } = server;
  await server.stop(true);
  return port;
}

const desk = newDesk("integrate");
afterAll(desk.clear);

const blocks = blocksOf(SECTION);
/** The variable that the server is started with, and the port that the receiver of webhooks listens on. */
const SERVES = /^(CAPTABLE_WEBHOOK_ALLOW)=(\S+) captable serve$/;
const PORT = "8099";
const commands = blocks.filter(({ language, text }) => language === "sh" && !SERVES.test(text));
const printed = commands.map((block) => {
  const next = blocks[blocks.indexOf(block) + 1];
  return next?.language === "text" ? next.text : null;
});

test("an integrator's first hour goes as it is written", async () => {
  expect(commands.length).toBeGreaterThanOrEqual(4);
  const [, variable = "", value = ""] = SERVES.exec(blocks[0]?.text ?? "") ?? [];
  await desk.startServer({ [variable]: value });
  writeFileSync(join(desk.cwd, "package.json"), '{"type":"module"}');
  const typed = commands.map(({ text }) => `${text}\necho "${END}"`).join("\n");
  const shown = await desk.type(NPM + typed.replaceAll(PORT, String(await freePort())));
  await desk.stopServer();
  const answers = shown.split(`${END}\n`).slice(0, -1);
  expect(answers).toHaveLength(commands.length);
  for (const [at, wanted] of printed.entries()) {
    if (wanted === null) continue;
    const lines = (answers[at] ?? "")
      .trim()
      .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080")
      .split("\n");
    const expected = wanted.split("\n");
    expect([lines.length, lines]).toEqual([expected.length, lines]);
    for (const [line, want] of expected.entries()) {
      if (!isAsPrinted(lines[line] ?? "", want)) expect(lines[line]).toBe(want);
    }
  }
});

test("the commands of the command line against a server are answered as it says", async () => {
  const other = newDesk("integrate-api");
  try {
    const section = GUIDE.split(/^## /m).find((each) => each.startsWith("The command line against a server")) ?? "";
    const [block] = blocksOf(section).filter(({ language }) => language === "sh");
    await other.startServer();
    const settings = "export CAPTABLE_SERVER=http://127.0.0.1:8080 CAPTABLE_KEY_FILE=data/admin.key\n";
    const lines = (await other.type(settings + (block?.text ?? ""))).trim().split("\r\n");
    expect(lines.at(-2)).toEndWith("totalIssued");
    expect(lines.at(-1)).toBe("0");
    const documented = [...section.matchAll(/^\| (\d) \| (.*) \|$/gm)].flatMap(([, exit, words = ""]) =>
      [...words.matchAll(/`(\d{3})`/g)].map(([, status]) => [Number(status), Number(exit)]),
    );
    expect(documented.length).toBeGreaterThan(10);
    for (const [status = 0, exit = 0] of documented)
      expect([status, exitFor(status)]).toEqual([status, exit as 1 | 2 | 3]);
    await other.stopServer();
  } finally {
    other.clear();
  }
});

test("each step shows its answer, and the comparison bites", () => {
  const silent = printed.filter((text) => text === null);
  expect(silent.length).toBeLessThanOrEqual(1);
  expect(isAsPrinted("CS-1  STOCK  4800000", "CS-1  STOCK  4800001")).toBe(false);
});
