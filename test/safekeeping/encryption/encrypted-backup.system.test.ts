// Encrypted backups as commands make and restore them, and as the tool `age` opens and makes them.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { newDataDir, PROGRAM, programEnvironment, runProgram, serveProgram } from "../../kit/program.ts";
import { RELEASE } from "../../kit/release.ts";
import { call } from "../backup/support.ts";

setDefaultTimeout(120_000);
const NAME = "Hidden Harbour Holdings";
const PASSPHRASE = "correct horse battery";
/** A passphrase is made costly to guess, and takes minutes in a program that does not compile its code. */
const COMPILED = { BUN_JSC_useJIT: "1" };
const KILLS = RELEASE ? 60 : 4;
const hasAge = Bun.which("age") !== null;
const hasScript = Bun.which("script") !== null;

let source: string;
let folder: string;
let keyFile: string;
let passphraseFile: string;
let recipient: string;

beforeAll(async () => {
  source = newDataDir();
  folder = dirname(source);
  expect((await runProgram(["org", "create", "--name", NAME, "--data-dir", source])).status).toBe(0);
  const identity = await generateX25519Identity();
  recipient = await identityToRecipient(identity);
  keyFile = privateFile("key.txt", `# of a test\n${identity}\n`);
  passphraseFile = privateFile("passphrase.txt", `${PASSPHRASE}\n`);
});

function privateFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

let made = 0;
async function backUp(...options: string[]): Promise<string> {
  const out = join(folder, `${++made}.captable.age`);
  const ended = await runProgram(["backup", "--data-dir", source, "--out", out, ...options], COMPILED);
  expect([ended.status, ended.stderr]).toEqual([0, ""]);
  expect(ended.stdout).toContain("bytes, encrypted), checked");
  expect(ended.stdout).toContain(createHash("sha256").update(readFileSync(out)).digest("hex"));
  return out;
}

/** The status, and what was said; a restored directory is verified. */
async function restore(file: string, ...options: string[]) {
  const into = newDataDir();
  const ended = await runProgram(["restore", file, "--data-dir", into, ...options], COMPILED);
  if (ended.status === 0) expect((await runProgram(["verify", "--data-dir", into])).status).toBe(0);
  else expect(existsSync(join(into, "captable.db"))).toBe(false);
  return { status: ended.status, said: ended.stdout + ended.stderr };
}

describe("an encrypted backup", () => {
  test("shows no name, and restores with its identity alone", async () => {
    const file = await backUp("--recipient", recipient);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file).includes("Hidden")).toBe(false);
    expect(readFileSync(file).includes("manifest.json")).toBe(false);
    const restored = await restore(file, "--identity-file", keyFile);
    expect([restored.status, restored.said.includes(NAME)]).toEqual([0, true]);
    expect((await restore(file)).status).toBe(2);
    expect((await restore(file)).said).toContain("--identity-file");
    const other = privateFile("other.txt", await generateX25519Identity());
    expect((await restore(file, "--identity-file", other)).status).toBe(2);
    expect((await restore(file, "--passphrase-file", passphraseFile)).status).toBe(2);
    expect((await restore(file, "--identity-file", keyFile, "--sha256", "0".repeat(64))).status).toBe(4);
    const changed = readFileSync(file);
    const at = changed.length >> 1;
    changed[at] = (changed[at] ?? 0) ^ 1;
    const wrong = join(folder, "changed.age");
    writeFileSync(wrong, changed);
    expect((await restore(wrong, "--identity-file", keyFile)).status).toBe(4);
    truncateSync(file, statSync(file).size - 20);
    expect((await restore(file, "--identity-file", keyFile)).status).toBe(4);
  });

  test("leaves nothing open beside itself, and goes to standard output encrypted", async () => {
    const target = join(folder, "elsewhere");
    mkdirSync(target);
    const out = join(target, "b.age");
    const args = ["backup", "--data-dir", source, "--recipient", recipient, "--out"];
    expect((await runProgram([...args, out])).status).toBe(0);
    expect(readdirSync(target)).toEqual(["b.age"]);
    expect(readdirSync(source).filter((name) => /backup|age/.test(name))).toEqual([]);
    const sent = await runProgram([...args, "-"]);
    expect([sent.status, sent.stdout.startsWith("age-encryption.org/v1\n")]).toEqual([0, true]);
  });

  test(`killed ${KILLS} times leaves the older one or a whole new one, and nothing open beside it`, async () => {
    const target = join(folder, "killed");
    mkdirSync(target);
    const out = join(target, "b.age");
    const args = ["backup", "--data-dir", source, "--recipient", recipient, "--out", out];
    expect((await runProgram(args)).status).toBe(0);
    let killed = 0;
    for (let round = 0; round < KILLS; round++) {
      const older = readFileSync(out);
      const child = Bun.spawn([...PROGRAM, ...args], { env: programEnvironment(), stdout: "ignore", stderr: "ignore" });
      const ended = await Promise.race([child.exited, Bun.sleep(20 + ((round * 53) % 400))]);
      if (ended === undefined) child.kill("SIGKILL");
      if ((await child.exited) === 137) killed++;
      for (const name of readdirSync(target, { recursive: true }).map(String)) {
        expect(name).toMatch(/^(b\.age|\.captable-backup-\w+|\.captable-backup-\w+\/backup\.age)$/);
      }
      if (!readFileSync(out).equals(older)) expect((await restore(out, "--identity-file", keyFile)).status).toBe(0);
    }
    expect(killed).toBeGreaterThan(0);
    // What it leaves in the data directory is no obstacle, and goes with the next one when it is an hour old.
    const left = readdirSync(source).filter((name) => name.startsWith(".captable-backup-"));
    for (const name of left) utimesSync(join(source, name), 0, 0);
    expect((await runProgram(args)).status).toBe(0);
    expect(readdirSync(source).filter((name) => name.startsWith(".captable-backup-"))).toEqual([]);
    expect((await restore(out, "--identity-file", keyFile)).status).toBe(0);
  });

  test("takes a passphrase from a private file", async () => {
    const file = await backUp("--passphrase-file", passphraseFile);
    expect(readFileSync(file, "latin1")).toMatch(/^age-encryption\.org\/v1\n-> scrypt \S+ 18\n/);
    expect((await restore(file, "--passphrase-file", passphraseFile)).status).toBe(0);
    expect((await restore(file, "--identity-file", keyFile)).status).toBe(2);
    const wrong = privateFile("wrong.txt", "correct horse batterz");
    expect((await restore(file, "--passphrase-file", wrong)).said).toContain("another passphrase");
  });

  test("is refused with wrong options, and nothing is written", async () => {
    const short = privateFile("short.txt", "elevenlong.");
    const open = join(folder, "open.txt");
    writeFileSync(open, PASSPHRASE, { mode: 0o644 });
    for (const options of [
      ["--recipient", "age1wrong"],
      ["--recipient", recipient, "--passphrase-file", passphraseFile],
      ["--passphrase-file", short],
      ["--passphrase-file", open],
      ["--passphrase"],
    ]) {
      const out = join(folder, "none.age");
      const ended = await runProgram(["backup", "--data-dir", source, "--out", out, ...options]);
      expect([options, ended.status, existsSync(out)]).toEqual([options, 2, false]);
    }
  });

  test.skipIf(!hasScript)("takes a passphrase that is typed twice, and shows none of it", async () => {
    const out = join(folder, "typed.age");
    const typed = async (first: string, second: string) => {
      const ended = await onTerminal(["backup", "--data-dir", source, "--out", out, "--passphrase"], [first, second]);
      expect(ended).toContain("type the passphrase");
      expect(ended).not.toContain(first);
      return ended;
    };
    expect(await typed(PASSPHRASE, "another passphrase")).toContain("differ");
    expect(existsSync(out)).toBe(false);
    expect(await typed("elevenlong.", "")).toContain("12 characters");
    expect(await typed(PASSPHRASE, PASSPHRASE)).toContain("checked");
    expect((await restore(out, "--passphrase-file", passphraseFile)).status).toBe(0);
  });

  test("that is not encrypted, where a key is given, is told so", async () => {
    const out = join(folder, "plain.captable");
    expect((await runProgram(["backup", "--data-dir", source, "--out", out])).status).toBe(0);
    const restored = await restore(out, "--identity-file", keyFile);
    expect([restored.status, restored.said.includes("it was not encrypted")]).toEqual([0, true]);
  });
});

describe("scheduled backups", () => {
  test("are encrypted where the settings name recipients, and nothing open lies in their folder", async () => {
    const backups = join(folder, "scheduled");
    const dataDir = newDataDir();
    const served = await serveProgram(dataDir, { CAPTABLE_BACKUP_DIR: backups, CAPTABLE_BACKUP_RECIPIENTS: recipient });
    expect((await call(served, "PATCH", "/organization", { legalName: NAME })).status).toBe(200);
    const seen = new Set<string>();
    for (let tries = 0; tries < 600 && ![...seen].some((name) => name.startsWith("captable-")); tries++) {
      for (const name of existsSync(backups) ? readdirSync(backups, { recursive: true }) : []) seen.add(String(name));
      await Bun.sleep(20);
    }
    expect(await served.end("SIGTERM")).toBe(0);
    const names = readdirSync(backups);
    expect(names).toEqual([expect.stringMatching(/^captable-.*\.captable\.age$/)]);
    expect([...seen].filter((name) => /\.db|\.tar/.test(name))).toEqual([]);
    expect((await restore(join(backups, names[0] ?? ""), "--identity-file", keyFile)).status).toBe(0);
  });

  test("for a wrong recipient stop the server at once, and a secret key is not repeated", async () => {
    const secret = (await generateX25519Identity()).toString();
    for (const value of ["age1wrong", secret]) {
      const ended = await runProgram(["serve", "--data-dir", newDataDir()], { CAPTABLE_BACKUP_RECIPIENTS: value });
      expect([ended.status, ended.stderr.includes("CAPTABLE_BACKUP_RECIPIENTS")]).toEqual([2, true]);
      expect(ended.stderr).not.toContain(secret.slice(20, 40));
    }
  });
});

describe.skipIf(!hasAge)("the tool age", () => {
  test("opens what captable encrypted, and captable what age encrypted", async () => {
    const file = await backUp("--recipient", recipient);
    const opened = Bun.spawnSync(["age", "-d", "-i", keyFile, file]);
    expect(opened.exitCode).toBe(0);
    const plain = join(folder, "opened.tar");
    writeFileSync(plain, opened.stdout);
    expect(Bun.spawnSync(["tar", "tf", plain]).stdout.toString()).toStartWith("manifest.json\n");
    expect((await restore(plain)).status).toBe(0);
    const theirs = join(folder, "theirs.age");
    expect(Bun.spawnSync(["age", "-r", recipient, "-o", theirs, plain]).exitCode).toBe(0);
    expect((await restore(theirs, "--identity-file", keyFile)).status).toBe(0);
    const armored = join(folder, "armored.age");
    expect(Bun.spawnSync(["age", "-a", "-r", recipient, "-o", armored, plain]).exitCode).toBe(0);
    const refused = await restore(armored, "--identity-file", keyFile);
    expect([refused.status, refused.said.includes("age -d")]).toEqual([2, true]);
  });

  test.skipIf(!hasScript)("does so with a passphrase", async () => {
    const file = await backUp("--passphrase-file", passphraseFile);
    const plain = join(folder, "by-passphrase.tar");
    await onTerminal(["-d", "-o", plain, file], [PASSPHRASE], ["age"]);
    expect((await restore(plain)).status).toBe(0);
    const theirs = join(folder, "theirs-by-passphrase.age");
    await onTerminal(["-p", "-o", theirs, plain], [PASSPHRASE, PASSPHRASE], ["age"]);
    expect((await restore(theirs, "--passphrase-file", passphraseFile)).status).toBe(0);
  });
});

/** Runs a program on a terminal of its own, types a line at each question, and returns what it showed. */
async function onTerminal(args: readonly string[], lines: readonly string[], program = PROGRAM): Promise<string> {
  const line = [...program, ...args].map((word) => `'${word}'`).join(" ");
  const child = Bun.spawn(["script", "-qec", line, "/dev/null"], {
    env: programEnvironment(COMPILED),
    stdin: "pipe",
    stdout: "pipe",
  });
  let shown = "";
  let asked = 0;
  const left = [...lines];
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    shown += text;
    const questions = shown.match(/and Enter|once more|passphrase[^\n]*: /g)?.length ?? 0;
    for (; asked < questions && left.length > 0; asked++) {
      child.stdin.write(`${left.shift()}\r`);
      child.stdin.flush();
    }
  }
  await child.exited;
  return shown;
}
