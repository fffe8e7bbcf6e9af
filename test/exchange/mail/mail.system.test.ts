// Mail with the program: each TLS, wrong names, roots and passwords, silence; the commands; killed at random moments no
// mail is lost, and one that goes twice has one id; a copy that was restored sends nothing.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { MailSender, type OutgoingMail } from "../../../src/exchange/mail/sender.ts";
import type { MailServer } from "../../../src/exchange/mail/settings.ts";
import { runProgram, serveProgram } from "../../kit/program.ts";
import { Random } from "../../kit/random.ts";
import { RELEASE } from "../../kit/release.ts";
import { type MailServerGiven, startMailServer } from "./mail-server.ts";

setDefaultTimeout(RELEASE ? 1_200_000 : 180_000);

const KILLS = RELEASE ? 200 : 12;
const folder = mkdtempSync(join(tmpdir(), "captable-mail-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MAIL: OutgoingMail = {
  ...{ id: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e", to: { name: "Grace", address: "grace@example.com" } },
  ...{ fromName: "Acme", replyTo: null, unsubscribe: null, subject: "S", lines: ["text"] },
};

async function sentTo(given: MailServerGiven, more: Partial<MailServer>) {
  const post = await startMailServer(given);
  const from = "captable@acme.example";
  const server = { host: "localhost", port: post.port, from, tls: "starttls", login: null, ca: null } as const;
  const sender = new MailSender({ ...server, ...more });
  try {
    const refusal = await sender.send(MAIL);
    return { refusal, received: post.received.map(({ isSecure }) => isSecure) };
  } finally {
    sender.close();
    await post.stop();
  }
}

describe.skipIf(Bun.which("openssl") === null)("with openssl", () => {
  let own: { readonly key: string; readonly cert: string };
  let others: typeof own;

  function certificateFor(name: string): typeof own {
    const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
    const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`, "-days", "2", "-nodes"];
    Bun.spawnSync(["openssl", "req", "-x509", "-newkey", "rsa:2048", ...subject, "-keyout", key, "-out", cert]);
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  }
  beforeAll(() => {
    own = certificateFor("localhost");
    others = certificateFor("mail.example.com");
  });

  test("STARTTLS and TLS are accepted by a known root and the right name alone", async () => {
    const secure = { refusal: null, received: [true] };
    expect(await sentTo(own, { ca: own.cert })).toEqual(secure);
    expect(await sentTo({ ...own, isSecure: true }, { ca: own.cert, tls: "tls" })).toEqual(secure);
    for (const [given, more] of [
      [own, {}],
      [own, { ca: others.cert }],
      [others, { ca: others.cert }],
      [{ ...own, isSecure: true }, { tls: "tls" }],
      [
        { ...others, isSecure: true },
        { tls: "tls", ca: others.cert },
      ],
      [{}, { ca: own.cert }],
    ] as const) {
      const { refusal, received } = await sentTo(given, more);
      expect(received).toEqual([]);
      expect(refusal?.isFinal).toBe(false);
    }
  });

  test("a wrong password is tried again, the right one is accepted", async () => {
    const login = { user: "me", pass: "right" };
    expect((await sentTo({ ...own, login }, { ca: own.cert, login })).refusal).toBeNull();
    const { refusal } = await sentTo({ ...own, login }, { ca: own.cert, login: { user: "me", pass: "wrong" } });
    expect(refusal).toEqual({ error: expect.stringMatching(/^535 /), isFinal: false });
    expect(refusal?.error).not.toContain("wrong");
  });
});

test("a server that says nothing, and none at all, are tried again", async () => {
  const silent = createServer(() => undefined);
  const { promise, resolve } = Promise.withResolvers<void>();
  silent.listen(0, "127.0.0.1", resolve);
  await promise;
  const { port } = silent.address() as { port: number };
  const from = "captable@acme.example";
  const server = { host: "127.0.0.1", port, from, tls: "none", login: null, ca: null } as const;
  const [quiet, none] = [new MailSender(server), new MailSender({ ...server, port: 1 })];
  const refusals = await Promise.all([quiet.send(MAIL), none.send(MAIL)]);
  expect(refusals.map((each) => each?.isFinal)).toEqual([false, false]);
  quiet.close();
  none.close();
  silent.close();
});

function rowsIn(dataDir: string): { id: string; to: string; state: string; sealed: string | null }[] {
  const db = new Database(join(dataDir, "captable.db"), { readonly: true });
  try {
    return db.prepare<[], ReturnType<typeof rowsIn>[number]>(`select id, "to", state, sealed from mails`).all();
  } finally {
    db.close();
  }
}

async function invite(served: { readonly url: string; readonly key: string }, email: string): Promise<number | null> {
  const headers = { authorization: `Bearer ${served.key}`, "content-type": "application/json" };
  const body = JSON.stringify({ email, role: "VIEWER", isMailed: true });
  try {
    return (await fetch(`${served.url}/api/v1/invitations`, { method: "POST", headers, body })).status;
  } catch {
    return null;
  }
}

test(`killed ${KILLS} times, no mail is lost, and one that goes twice has one id; a restored copy sends nothing`, async () => {
  const post = await startMailServer();
  const random = new Random(7);
  const dataDir = join(folder, "data");
  const environment = {
    ...{ CAPTABLE_MAIL_HOST: "127.0.0.1", CAPTABLE_MAIL_PORT: String(post.port), CAPTABLE_CHAIN: "off" },
    ...{ CAPTABLE_MAIL_TLS: "none", CAPTABLE_MAIL_FROM: "captable@acme.example" },
  };
  const promised: string[] = [];
  for (let round = 0; round <= KILLS; round++) {
    const served = await serveProgram(dataDir, environment);
    // An organization sends 500 an hour.
    const emails = Array.from({ length: 2 }, (_, at) => `guest-${round}-${at}@example.com`);
    const asked = Promise.all(
      emails.map(async (email) => {
        if ((await invite(served, email)) === 201) promised.push(email);
      }),
    );
    if (round === KILLS) {
      await asked;
      while (rowsIn(dataDir).some(({ state }) => state === "QUEUED")) await Bun.sleep(20);
      await served.end();
      break;
    }
    await Bun.sleep(random.below(900));
    await served.end("SIGKILL");
    await asked;
  }
  expect(promised.length).toBeGreaterThan(KILLS);
  const rows = rowsIn(dataDir);
  expect(rows.filter(({ state, sealed }) => state !== "SENT" || sealed !== null)).toEqual([]);
  const sentTo = new Map<string, Set<string>>();
  for (const { to, headers } of post.received) {
    const ids = sentTo.get(to[0] ?? "") ?? new Set();
    sentTo.set(to[0] ?? "", ids.add(headers["message-id"] ?? ""));
  }
  expect(promised.filter((email) => !sentTo.has(email))).toEqual([]);
  expect([...sentTo.values()].filter((ids) => ids.size !== 1)).toEqual([]);
  expect(rows.length).toBe(sentTo.size);
  expect((await runProgram(["verify", "--data-dir", dataDir])).status).toBe(0);
  // Queued while the mail server is away, and restored elsewhere.
  const away = { ...environment, CAPTABLE_MAIL_PORT: "1" };
  const served = await serveProgram(dataDir, away);
  expect(await invite(served, "late@example.com")).toBe(201);
  await served.end();
  const backup = join(folder, "backup.captable");
  expect((await runProgram(["backup", "--out", backup, "--data-dir", dataDir])).status).toBe(0);
  const drill = join(folder, "drill");
  expect((await runProgram(["restore", backup, "--data-dir", drill])).status).toBe(0);
  expect(rowsIn(drill).filter(({ to }) => to === "late@example.com")).toMatchObject([
    { state: "DROPPED", sealed: null },
  ]);
  const before = post.received.length;
  const there = await serveProgram(drill, environment);
  await Bun.sleep(1500);
  await there.end();
  expect(post.received.length).toBe(before);
  await post.stop();
});

test("captable mail lists, tests and tries again, with the statuses that it promises", async () => {
  const post = await startMailServer({ refuses: (to) => (to.startsWith("no") ? 550 : undefined) });
  const dataDir = join(folder, "commands");
  const environment = {
    ...{ CAPTABLE_MAIL_HOST: "127.0.0.1", CAPTABLE_MAIL_PORT: String(post.port), CAPTABLE_CHAIN: "off" },
    ...{ CAPTABLE_MAIL_TLS: "none", CAPTABLE_MAIL_FROM: "captable@acme.example" },
  };
  const mail = (args: readonly string[], given: Record<string, string> = environment) =>
    runProgram(["mail", ...args, "--data-dir", dataDir], given);
  const served = await serveProgram(dataDir, environment);
  try {
    expect((await mail(["test", "yes@example.com"])).status).toBe(0);
    expect(post.received.at(-1)?.to).toEqual(["yes@example.com"]);
    const refused = await mail(["test", "no@example.com"]);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("550")]);
    expect((await mail(["test", "yes@example.com"], {})).status).toBe(2);
    expect((await mail(["test", "no-address"])).status).toBe(2);
    expect(await invite(served, "no-guest@example.com")).toBe(201);
    while (!rowsIn(dataDir).some(({ state }) => state === "FAILED")) await Bun.sleep(20);
    const [row] = rowsIn(dataDir);
    const listed = await mail(["list"]);
    expect(listed.stdout).toContain("no-guest@example.com");
    expect(listed.stdout).toContain("FAILED");
    expect((await mail(["retry", row?.id ?? ""])).status).toBe(0);
    expect((await mail(["retry", "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e"])).status).toBe(3);
    expect((await mail(["retry", row?.id ?? ""], {})).status).toBe(2);
    const other = join(folder, "never");
    const wrong = await runProgram(["serve", "--data-dir", other], { CAPTABLE_MAIL_HOST: "smtp.example.com" });
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining("CAPTABLE_MAIL_FROM")]);
    const metrics = await (await fetch(`${served.url}/metrics`)).text();
    expect(metrics).toMatch(/captable_mails_total\{kind="invitation",state="FAILED"\} [12]/);
  } finally {
    await served.end();
    await post.stop();
  }
});
