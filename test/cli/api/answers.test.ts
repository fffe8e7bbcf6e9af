// What `captable api` prints, and how it ends: forms of output, exit statuses, connections that break.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { exitFor } from "../../../cli/api/send.ts";
import { runCommand } from "../../kit/command.ts";
import { api, fileOf, folder, KEY, keyFile, problem, recorder } from "./support.ts";

const json = (value: unknown) => Response.json(value);

const STATUSES: readonly (readonly [status: number, slug: string, exit: number])[] = [
  [400, "malformed-json", 2],
  [401, "unauthorized", 3],
  [403, "forbidden", 3],
  [404, "not-found", 3],
  [405, "method-not-allowed", 2],
  [409, "conflict", 3],
  [412, "precondition-failed", 3],
  [413, "payload-too-large", 2],
  [415, "unsupported-media-type", 2],
  [421, "misdirected", 3],
  [422, "validation-failed", 2],
  [429, "rate-limited", 1],
  [500, "internal-error", 1],
  [503, "unavailable", 1],
];

test.each(STATUSES)(
  "%i ends with a status of its own: the problem is on standard error, and nothing else is printed",
  async (status, slug, exit) => {
    const server = recorder(() => problem(status, slug, { "retry-after": "0" }));
    const words = await api(server.url, "stakeholders", "create", "--display-name", "A");
    expect([words.status, words.stdout]).toEqual([exit, ""]);
    expect(words.stderr).toContain(`refused by ${slug}`);
    expect(words.stderr).toContain("request r-1");
    const asJson = await api(server.url, "stakeholders", "list", "--json");
    expect([asJson.status, asJson.stdout]).toEqual([exit, ""]);
    expect(JSON.parse(asJson.stderr)).toMatchObject({ status, detail: `refused by ${slug}` });
    const isWaitedOut = status === 429 || status === 503;
    expect(server.got).toHaveLength(isWaitedOut ? 8 : 2);
    expect(exitFor(status)).toBe(exit as 1 | 2 | 3);
    server.stop();
  },
);

test("each wrong use is 2, and nothing is sent", async () => {
  const server = recorder(() => json({}));
  const wrong = [
    ["stakeholders", "creat"],
    ["stakeholders", "get"],
    ["stakeholders", "get", "a", "b"],
    ["stakeholders", "list", "--nope"],
    ["stakeholders", "list", "--output", "xml"],
    ["stakeholders", "list", "--status", "CURRENT", "--status", "FORMER"],
    ["stakeholders", "update", "a", "--unset", "nope"],
    ["stakeholders", "update", "a", "--unset", "email", "--email", "a@example.com"],
    ["stakeholders", "create", "--data", join(folder, "none")],
    ["stakeholders", "create", "--data", fileOf("list.json", "[1]"), "--email", "a@example.com"],
    ["stakeholders", "create", "--data", fileOf("cut.json", '{"a":'), "--email", "a@example.com"],
    ["approvals", "create", "--steps", "{name:1}"],
    ["transactions", "split", "--numerator", "two", "--yes"],
    ["transactions", "issue-shares", "--dry-run=perhaps"],
    ["securities", "certificate", "pdf", "a"],
    ["securities", "certificate", "pdf", "a", "--out", "/nowhere/x.pdf"],
    ["transactions", "retract", "--security-id", "a"],
    ["stakeholders", "delete", "a"],
    ["DELETE", "/api/v1/stakeholders/a"],
    ["POST", "/api/v1/transactions/retract"],
    ["POST", "/api/v1/transactions/./retract"],
    ["POST", "/api/v1/cap-table/../transactions/split?a=b"],
    ["POST", "/api/v1/transactions\\%2e\\split#now"],
    ["POST", "/api/v1/transactions/sp\tlit", "--query", "a=b"],
    ["GET", "api/v1/organization"],
    ["GET", "/api/v1/organization", "--query", "asOf"],
    ["stakeholders", "get", ".."],
    ["stakeholders", "get", ""],
    ["stakeholders", "update", "a", "--if-match", "a\nb", "--email", "a@example.com"],
    ["stakeholders", "create", "--idempotency-key", "ü"],
    ["frobnicate"],
  ];
  for (const words of wrong) {
    const ended = await api(server.url, ...words);
    expect([words.join(" "), ended.status, ended.stdout]).toEqual([words.join(" "), 2, ""]);
    expect(ended.stderr).not.toBe("");
  }
  expect(server.got).toHaveLength(0);
  server.stop();
});

const NAMES = [
  'Ada "the first", King',
  "=1+1",
  "@x",
  "-2+3",
  "line\none",
  "00123",
  "é ü 漢",
  "",
  "'quoted",
  "1e5",
  "TRUE",
  "+49 30",
];

test("CSV is read back as it was sent, but for the apostrophe before what a spreadsheet would run", async () => {
  const items = NAMES.map((name, at) => ({
    id: `id-${at}`,
    name,
    quantity: "1000.50",
    count: at,
    none: null,
    nested: { a: [name] },
    on: "2026-01-02",
  }));
  const server = recorder(() => json({ items, nextCursor: null }));
  const { stdout, status } = await api(server.url, "stakeholders", "list", "--output", "csv");
  expect(status).toBe(0);
  expect(stdout).toContain("\r\n");
  const read: Record<string, string>[] = parse(stdout, { columns: true, relax_quotes: false });
  const told = items.map((item) => ({
    ...item,
    ...{ count: String(item.count), none: "", nested: JSON.stringify(item.nested) },
  }));
  const unguarded = (text = "") => text.replace(/^'(?=.)/, "");
  const bare = (row: Record<string, string>) =>
    Object.fromEntries(Object.entries(row).map(([name, text]) => [name, unguarded(text)]));
  const visible = (text: string) => text.replace("\n", "\\n");
  expect(read.map(bare).map((row) => ({ ...row, name: visible(row.name ?? "") }))).toEqual(
    told.map((row) => ({ ...row, name: visible(unguarded(row.name)) })).map((row) => row as never),
  );
  expect(read.filter(({ name = "" }) => /^[=+@-]/.test(name))).toEqual([]);
  expect(read.map(({ quantity }) => quantity)).toEqual(items.map(({ quantity }) => quantity));
  const some = await api(server.url, "stakeholders", "list", "--output", "csv", "--columns", "quantity,id");
  expect(some.stdout.split("\r\n").slice(0, 2)).toEqual(["quantity,id", "1000.50,id-0"]);
  const unknown = await api(server.url, "stakeholders", "list", "--output", "csv", "--columns", "colour");
  expect([unknown.status, unknown.stdout]).toEqual([2, ""]);
  server.stop();
});

test("JSON is the answer as it came, lines are a record each, a table has what fits", async () => {
  const text =
    '{"items":[{"id":"a","name":"Ada","big":12345678901234567890.10},{"id":"b","name":"Ben"}],"nextCursor":"c2"}';
  const server = recorder(() => new Response(text, { headers: { "content-type": "application/json" } }));
  const asJson = await api(server.url, "stakeholders", "list", "--output", "json");
  expect(asJson.stdout).toBe(`${text}\n`);
  expect((await api(server.url, "stakeholders", "list", "--json")).stdout).toBe(asJson.stdout);
  expect(asJson.stderr).toContain("--cursor c2");
  expect(asJson.stderr).toContain("--all");
  const lines = (await api(server.url, "stakeholders", "list", "--output", "jsonl")).stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(["a", "b"]);
  const shown = await api(server.url, "stakeholders", "list", "--columns", "name,id");
  expect(shown.stdout).toBe("name  id\nAda   a\nBen   b\n");
  server.stop();
});

test("what is no JSON of captable is 1, and JSON of any form is shown", async () => {
  const page = recorder(() => new Response("<html>", { headers: { "content-type": "text/html" } }));
  for (const words of [
    ["organization", "get"],
    ["stakeholders", "list", "--all"],
    ["stakeholders", "list", "--json"],
  ]) {
    const ended = await api(page.url, ...words);
    expect([ended.status, ended.stdout]).toEqual([1, ""]);
    expect(ended.stderr).toContain("text/html");
  }
  page.stop();
  for (const value of [null, 1, "text", [], {}, { data: null }, { items: [null, 1] }, { data: { items: [] } }]) {
    const server = recorder(() => json(value));
    for (const output of ["table", "json", "jsonl", "csv"]) {
      const ended = await api(server.url, "stakeholders", "list", "--output", output);
      expect([JSON.stringify(value), output, ended.status, ended.stderr]).toEqual([
        JSON.stringify(value),
        output,
        0,
        "",
      ]);
    }
    server.stop();
  }
});

test("no proxy gets what goes to this machine", async () => {
  const [server, proxy] = [recorder(() => json({ id: "a" })), recorder(() => json({ id: "proxied" }))];
  const names = ["HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"] as const;
  const before = names.map((name) => [name, process.env[name]] as const);
  try {
    process.env.HTTP_PROXY = proxy.url;
    process.env.http_proxy = proxy.url;
    delete process.env.NO_PROXY;
    delete process.env.no_proxy;
    // The control: a request that nothing guards goes to the proxy.
    await fetch(server.url);
    expect([server.got.length, proxy.got.length]).toEqual([0, 1]);
    expect((await api(server.url, "stakeholders", "get", "a")).status).toBe(0);
    expect([server.got.length, proxy.got.length]).toEqual([1, 1]);
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    server.stop();
    proxy.stop();
  }
});

test("what a terminal would obey is never printed raw", async () => {
  const bad = "\u001b]0;owned\u0007\u009b31m\u202e";
  const server = recorder(() => json({ items: [{ id: "a", name: bad }], nextCursor: null }));
  for (const output of ["table", "json", "jsonl", "csv"]) {
    const { stdout } = await api(server.url, "stakeholders", "list", "--output", output);
    for (const sign of ["\u001b", "\u0007", "\u009b", "\u202e"]) expect(stdout).not.toContain(sign);
    if (output.startsWith("json")) expect(stdout).toContain("\\u202e");
  }
  server.stop();
});

test("all pages are followed to the end, and printed as one or not at all", async () => {
  const pages = (cursor: string | undefined) =>
    ({
      none: { items: [{ id: "a" }], nextCursor: "2" },
      2: { items: [{ id: "b" }], nextCursor: "3" },
      3: { items: [], nextCursor: null },
    })[cursor ?? "none"];
  const server = recorder(({ query }) => json(pages(query.cursor)));
  const all = await api(server.url, "stakeholders", "list", "--all", "--status", "CURRENT", "--json");
  expect(JSON.parse(all.stdout)).toEqual({ items: [{ id: "a" }, { id: "b" }], nextCursor: null });
  expect(server.got.map(({ query }) => query)).toEqual([
    { status: "CURRENT", limit: "100" },
    { status: "CURRENT", limit: "100", cursor: "2" },
    { status: "CURRENT", limit: "100", cursor: "3" },
  ]);
  server.stop();
  const broken = recorder(({ query }) =>
    query.cursor === undefined ? json(pages(undefined)) : problem(500, "internal-error"),
  );
  for (const output of ["jsonl", "csv", "table"]) {
    const ended = await api(broken.url, "stakeholders", "list", "--all", "--output", output);
    expect([ended.status, ended.stdout]).toEqual([1, ""]);
  }
  broken.stop();
});

test("a server that stops in the middle leaves no half of an answer: 1, nothing printed, no file", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"items":[{"id":"a"}',
      );
      socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  // A write without a key is sent once, and fails at once; a read is tried again for a second or two.
  const write = await api(url, "stakeholders", "update", "a", "--email", "a@example.com");
  expect([write.status, write.stdout]).toEqual([1, ""]);
  const out = join(folder, "half.pdf");
  const read = await api(url, "securities", "certificate", "pdf", "a", "--out", out);
  expect([read.status, read.stdout, existsSync(out)]).toEqual([1, "", false]);
  server.close();
  const gone = await api(url, "stakeholders", "update", "a", "--email", "a@example.com");
  expect([gone.status, gone.stdout]).toEqual([1, ""]);
  expect(gone.stderr).toContain(url);
});

test("files are written whole, text is printed, and bytes are not thrown at a person", async () => {
  const bytes = new Uint8Array([0x25, 0x50, 0, 255]);
  const server = recorder(({ path }) =>
    path.endsWith("checkpoint")
      ? new Response("a note\n", { headers: { "content-type": "text/plain" } })
      : new Response(bytes, { headers: { "content-type": "application/pdf" } }),
  );
  const out = join(folder, "out.pdf");
  const written = await api(server.url, "securities", "certificate", "pdf", "a", "--out", out);
  expect([written.status, Buffer.from(await Bun.file(out).bytes()).equals(bytes)]).toEqual([0, true]);
  expect((await api(server.url, "checkpoint", "get")).stdout).toBe("a note\n");
  expect((await api(server.url, "GET", "/api/v1/checkpoint")).stdout).toBe("a note\n");
  server.stop();
});

test("nothing is confirmed without a terminal, but a dry run needs no yes", async () => {
  const server = recorder(() => json({ data: { effects: [] } }));
  const split = ["transactions", "split", "--stock-class-id", "c", "--numerator", "2", "--denominator", "1"];
  expect((await api(server.url, ...split)).stderr).toContain("--yes");
  expect(server.got).toHaveLength(0);
  expect((await api(server.url, ...split, "--dry-run")).status).toBe(0);
  expect((await api(server.url, ...split, "--yes")).status).toBe(0);
  expect(server.got.map(({ body }) => JSON.parse(body).dryRun)).toEqual([true, undefined]);
  server.stop();
});

test("a key in another's sight, or without TLS to another machine, goes nowhere", async () => {
  const server = recorder(() => json({}));
  const open = fileOf("open-key", KEY, 0o644);
  const seen = await runCommand(["api", "organization", "get", "--server", server.url, "--key-file", open]);
  expect([seen.status, seen.stdout]).toEqual([2, ""]);
  expect(seen.stderr).toContain("600");
  const none = await runCommand([
    "api",
    "organization",
    "get",
    "--server",
    server.url,
    "--key-file",
    fileOf("empty", ""),
  ]);
  expect(none.status).toBe(2);
  const far = ["api", "organization", "get", "--server", "http://cap.example.com", "--key-file", keyFile];
  const refused = await runCommand(far);
  expect([refused.status, refused.stdout]).toEqual([2, ""]);
  expect(refused.stderr).toContain("--allow-http");
  const named = await runCommand([...far.slice(0, 4), "https://user:pass@cap.example.com", "--key-file", keyFile]);
  expect(named.status).toBe(2);
  expect(server.got).toHaveLength(0);
  expect(
    (await runCommand([...far.slice(0, 4), server.url.replace("127.0.0.1", "localhost"), ...far.slice(5)])).status,
  ).toBe(0);
  server.stop();
});
