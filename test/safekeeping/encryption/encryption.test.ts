// Files encrypted and opened again: every size at which the format begins a new piece, each wrong key, each changed and
// cut byte, and a writing that goes wrong.
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from "age-encryption";
import { decryptFile, isEncrypted } from "../../../src/safekeeping/encryption/decrypt.ts";
import { encryptFile } from "../../../src/safekeeping/encryption/encrypt.ts";
import { EncryptedFileDamagedError, EncryptionKeyError } from "../../../src/safekeeping/encryption/errors.ts";
import {
  type Lock,
  lockWith,
  type Opener,
  readIdentities,
  recipientsOf,
} from "../../../src/safekeeping/encryption/keys.ts";
import { writeAll } from "../../../src/storage/data-dir/durable-files.ts";
import { RELEASE } from "../../kit/release.ts";

const folder = mkdtempSync(join(tmpdir(), "captable-encryption-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = () => join(folder, `f${++files}`);
const quiet = { onProgress: () => undefined };

const identity = await generateX25519Identity();
const other = await generateX25519Identity();
const recipient = await identityToRecipient(identity);
const ours: Opener = { identities: [other, identity] };

async function encrypted(bytes: Uint8Array, lock: Lock = { recipients: [recipient] }): Promise<string> {
  const [plain, out] = [newPath(), newPath()];
  writeFileSync(plain, bytes);
  await encryptFile(plain, out, lock, quiet);
  return out;
}

async function opened(path: string, opener: Opener | null = ours): Promise<Buffer> {
  const out = newPath();
  await decryptFile(path, out, opener, () => undefined);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  return readFileSync(out);
}

/** What opening throws; nothing may be left then. */
async function refusal(path: string, opener: Opener | null = ours): Promise<unknown> {
  const out = newPath();
  const failure = await decryptFile(path, out, opener, () => undefined).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(existsSync(out)).toBe(false);
  return failure;
}

function bytesOf(count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, at) => (at * 31 + (at >> 8)) & 0xff);
}

describe("what is encrypted", () => {
  test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 262_144, 1_000_001])("comes back, at %d bytes", async (count) => {
    const path = await encrypted(bytesOf(count));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(isEncrypted(path)).toBe(true);
    expect((await opened(path)).equals(bytesOf(count))).toBe(true);
  });

  test("can be opened by each recipient's identity, also of a post-quantum pair, and holds one of the moment", async () => {
    const second = await identityToRecipient(other);
    const path = await encrypted(bytesOf(100), { recipients: [recipient, second] });
    for (const each of [identity, other]) expect((await opened(path, { identities: [each] })).length).toBe(100);
    const lines = readFileSync(path, "latin1")
      .split("\n---")[0]
      ?.match(/\n-> \S+/g);
    expect(lines).toEqual(["\n-> X25519", "\n-> X25519", "\n-> X25519"]);
    const safe = await generateHybridIdentity();
    const [safely] = await recipientsOf([await identityToRecipient(safe)]);
    const quantum = await encrypted(bytesOf(100), { recipients: [safely ?? ""] });
    expect((await opened(quantum, { identities: [identity, safe] })).length).toBe(100);
    // A recipient of the moment of the older kind would undo what the newer one is for.
    expect(readFileSync(quantum, "latin1").split("\n---")[0]).not.toContain("X25519\n");
  });

  test("is read back: a byte that was written wrong is found, and nothing stays", async () => {
    const plain = newPath();
    writeFileSync(plain, bytesOf(300_000));
    for (const at of [1, 50, 400, 100_000, 200_000]) {
      const out = newPath();
      let written = 0;
      const write = (file: number, bytes: Uint8Array) => {
        const wrong = Uint8Array.from(bytes);
        const index = at - written;
        if (index >= 0 && index < wrong.length) wrong[index] = (wrong[index] ?? 0) ^ 1;
        written += bytes.length;
        writeAll(file, wrong);
      };
      const failed = encryptFile(plain, out, { recipients: [recipient] }, { ...quiet, write });
      expect(
        await failed.then(
          () => "written",
          () => "refused",
        ),
      ).toBe("refused");
      expect(existsSync(out)).toBe(false);
    }
  });
});

describe("a file is refused", () => {
  test("without a key, and with the wrong one", async () => {
    const path = await encrypted(bytesOf(10));
    for (const opener of [null, { passphrase: "correct horse battery" }, { identities: [other] }]) {
      expect(await refusal(path, opener)).toBeInstanceOf(EncryptionKeyError);
    }
  });

  test("wherever a byte of it was changed, and wherever it was cut or has more", async () => {
    const path = await encrypted(bytesOf(65_536 + 100));
    const whole = readFileSync(path);
    const header = whole.indexOf("\n---") + 48;
    const places = [
      ...Array.from({ length: header + 40 }, (_, at) => at),
      ...Array.from(
        { length: RELEASE ? 2000 : 12 },
        (_, at) => header + Math.floor((at * 65_600) / (RELEASE ? 2000 : 12)),
      ),
    ];
    let refused = 0;
    for (const at of places) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      writeFileSync(path, changed);
      const failure = await refusal(path);
      if (failure instanceof EncryptedFileDamagedError || isOfStanza(failure)) refused++;
    }
    expect(refused).toBe(places.length);
    for (const length of [0, 21, 22, 100, header - 1, header + 15, header + 16, header + 65_568, whole.length - 1]) {
      writeFileSync(path, whole);
      truncateSync(path, length);
      expect([length, await refusal(path)]).toEqual([length, expect.any(EncryptedFileDamagedError)]);
    }
    writeFileSync(path, Buffer.concat([whole, Buffer.from([0])]));
    expect(await refusal(path)).toBeInstanceOf(EncryptedFileDamagedError);
    writeFileSync(path, whole);
    expect((await opened(path)).length).toBe(65_536 + 100);
  });

  /** Where the stanza of our identity is changed, the file says that it is for another: status 2 instead of 4. */
  function isOfStanza(failure: unknown): boolean {
    return failure instanceof EncryptionKeyError && failure.message.includes("other keys");
  }

  test("with an endless header, without reading it all", async () => {
    const path = newPath();
    writeFileSync(path, `age-encryption.org/v1\n-> ${"x".repeat(1_000_000)}`);
    expect(await refusal(path)).toBeInstanceOf(EncryptedFileDamagedError);
  });

  test("in letters (age --armor), with a word about it", () => {
    const path = newPath();
    writeFileSync(path, "-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n");
    expect(() => isEncrypted(path)).toThrow("age -d");
  });
});

describe("keys", () => {
  test("that are none of age are refused, and a secret one is never repeated", async () => {
    const refused = async (...keys: string[]) => String(await recipientsOf(keys).catch((failure: unknown) => failure));
    expect(await refused()).toContain("no recipient");
    for (const wrong of [
      "age1",
      "ssh-ed25519 AAAA",
      `${recipient.slice(0, -1)}q`,
      recipient.slice(0, 40),
      "age1tag1qqq",
    ]) {
      expect(await refused(recipient, wrong)).toContain("public key of age (age1…");
    }
    const said = await refused(identity);
    expect([said.includes("secret key"), said.includes(identity.slice(20, 40))]).toEqual([true, false]);
    const safe = await identityToRecipient(await generateHybridIdentity());
    expect(await refused(recipient, safe)).toContain("cannot be mixed");
    expect(await recipientsOf([` ${recipient} `, recipient])).toEqual([recipient]);
  });

  test("that are passphrases have 12 characters at least", () => {
    expect(() => lockWith("elevenlong.")).toThrow("12 characters");
    expect(lockWith("twelve longs")).toEqual({ passphrase: "twelve longs" });
  });

  test("are read from a file as age-keygen writes it, that others cannot read", async () => {
    const path = newPath();
    writeFileSync(path, `# created: 2026\n# public key: ${recipient}\n${identity}\n`, { mode: 0o600 });
    expect(await readIdentities(path)).toEqual({ identities: [identity] });
    const wrong = newPath();
    writeFileSync(wrong, `${identity.slice(0, -1)}Q\n`, { mode: 0o600 });
    const said = String(await readIdentities(wrong).catch((failure: unknown) => failure));
    expect([said.includes("identity 1"), said.includes(identity.slice(20, 40))]).toEqual([true, false]);
    const open = newPath();
    writeFileSync(open, `${identity}\n`, { mode: 0o644 });
    expect(readIdentities(open)).rejects.toThrow("set it to 600");
  });
});
