// Copies in a bucket, against a server that checks signatures and misbehaves: what it does not keep does not count.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { scheduledName } from "../../../src/safekeeping/backup/scheduled-names.ts";
import { EncryptionKeyError } from "../../../src/safekeeping/encryption/errors.ts";
import { Bucket, readBucketKey } from "../../../src/safekeeping/offsite/bucket.ts";
import {
  fetchCopy,
  listCopies,
  newestCopy,
  type PushOptions,
  pushCopy,
  verifyCopy,
} from "../../../src/safekeeping/offsite/copies.ts";
import { copyIfDue } from "../../../src/safekeeping/offsite/copy-schedule.ts";
import { MARK } from "../../../src/safekeeping/offsite/mark.ts";
import { OffsiteError, OtherBytesError } from "../../../src/safekeeping/offsite/offsite-errors.ts";
import { type S3Server, s3Refusal, startS3Server } from "../../kit/s3-server.ts";

const START_MS = Date.parse("2026-11-01T02:00:00.000Z");
const DAY_MS = 86_400_000;
const MAGIC = Buffer.from("age-encryption.org/v1\n");
const quiet = { keep: 30, nowMs: START_MS + 100 * DAY_MS, onStage: () => undefined } satisfies PushOptions;

let folder: string;
let keyFile: string;
let server: S3Server;
let bucket: Bucket;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "captable-offsite-"));
  keyFile = join(folder, "bucket.key");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  server = startS3Server();
  writeFileSync(keyFile, `${server.id}\n${server.secret}\n`, { mode: 0o600 });
  bucket = openBucket();
});
afterEach(() => server.stop());

/** Stalls are waited for as long as one test takes, not for two minutes, and a busy server for no time. */
function openBucket(more: Partial<Parameters<typeof Bucket.open>[0]> = {}, stallMs = 20_000): Bucket {
  const where = { ...server.settings, endpoint: server.url, prefix: "captable/", style: "path" as const, keyFile };
  return Bucket.open({ ...where, ...more }, stallMs, 0);
}

/** A file that looks encrypted, of a day. */
function fileOf(day: number, bytes = 1000): string {
  return fileNamed(scheduledName(START_MS + day * DAY_MS, true), bytes);
}

function fileNamed(name: string, bytes = 1000): string {
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat([MAGIC, randomBytes(bytes)]));
  return path;
}

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (failure: unknown) => failure,
  );
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("a copy", () => {
  test.each([0, 1000, 8 * 1024 * 1024 - 22, 8 * 1024 * 1024, 20 * 1024 * 1024])(
    "of %d bytes and the first line is put, read back, marked, checked and fetched",
    async (bytes) => {
      const file = fileOf(1, bytes);
      const name = basename(file);
      const heads = [{ orgId: "o", sequence: 3, hash: "ab" }];
      const known = { name, sha256: sha256(readFileSync(file)), heads };
      const pushed = await pushCopy(bucket, file, { ...quiet, known });
      expect(pushed).toMatchObject({
        wasThere: false,
        removed: [],
        notRemoved: null,
        mark: { ...known, bytes: bytes + 22 },
      });
      expect([...server.objects.keys()].sort()).toEqual([`captable/${name}`, `captable/${name}${MARK}`]);
      expect(server.objects.get(`captable/${name}`)?.equals(readFileSync(file))).toBe(true);
      expect(JSON.parse(server.objects.get(`captable/${name}${MARK}`)?.toString() ?? "")).toEqual(pushed.mark);
      expect(await verifyCopy(bucket, name, quiet.onStage)).toEqual(pushed.mark);
      const out = join(folder, "fetched");
      await fetchCopy(bucket, name, out, quiet.onStage);
      expect(readFileSync(out).equals(readFileSync(file))).toBe(true);
      expect(statSync(out).mode & 0o777).toBe(0o600);
      const again = await pushCopy(bucket, file, quiet);
      expect([again.wasThere, again.mark]).toEqual([true, pushed.mark]);
      expect(server.uploads.size).toBe(0);
    },
  );

  test("goes in parts of 8 MiB, of which two at a time are on their way", async () => {
    let now = 0;
    let most = 0;
    const parts: string[] = [];
    server.onPart = async (part, bytes) => {
      most = Math.max(most, ++now);
      parts[part] = `${bytes}`;
      await Bun.sleep(20);
      now--;
    };
    await pushCopy(bucket, fileOf(1, 50 * 1024 * 1024), quiet);
    expect(most).toBe(2);
    expect(parts.slice(1)).toEqual([...Array.from({ length: 6 }, () => "8388608"), `${2 * 1024 * 1024 + 22}`]);
  });

  test("is of what is encrypted alone: nothing else is sent", async () => {
    const plain = join(folder, "plain.captable");
    writeFileSync(plain, "manifest.json");
    expect(await failureOf(pushCopy(bucket, plain, quiet))).toBeInstanceOf(EncryptionKeyError);
    writeFileSync(plain, "");
    expect(await failureOf(pushCopy(bucket, plain, quiet))).toBeInstanceOf(EncryptionKeyError);
    expect(server.asked).toEqual([]);
  });

  test("is not made of a backup that is not as it was written", async () => {
    const file = fileOf(1);
    const known = { name: basename(file), sha256: sha256(Buffer.from("other")), heads: [] };
    expect(await failureOf(pushCopy(bucket, file, { ...quiet, known }))).toBeInstanceOf(OtherBytesError);
    expect(server.asked).toEqual([]);
    // A file by hand may have any name again.
    const byHand = fileNamed("by-hand.age");
    const other = { ...known, name: "by-hand.age" };
    expect((await pushCopy(bucket, byHand, { ...quiet, known: other })).mark.heads).toBeNull();
  });

  test("may have an odd name", async () => {
    for (const name of ["a b+c%2F?&#'\"<x>é.age", "..age", "ü".repeat(120), "x.captable.age.sha256.age"]) {
      const pushed = await pushCopy(bucket, fileNamed(name), quiet);
      expect(pushed.mark.name).toBe(name);
      expect(await verifyCopy(bucket, name, quiet.onStage)).toEqual(pushed.mark);
    }
    expect((await listCopies(bucket)).filter(({ mark }) => mark !== null)).toHaveLength(4);
    for (const name of ["", "a/b", "x.sha256", "\0"]) {
      expect(await failureOf(verifyCopy(bucket, name, quiet.onStage))).toBeInstanceOf(OffsiteError);
    }
  });

  test("of 1,200 is listed, the newest found, and others' objects left alone", async () => {
    for (let day = 0; day < 600; day++) {
      const name = `captable/${scheduledName(START_MS - day * DAY_MS, true)}`;
      const mark = { name: name.slice(9), bytes: 1, sha256: "0".repeat(64), createdAt: "x", heads: null };
      server.objects.set(name, Buffer.from("x"));
      server.objects.set(`${name}${MARK}`, Buffer.from(JSON.stringify(mark)));
    }
    server.objects.set("captable/theirs.txt", Buffer.from("x"));
    server.objects.set("else/where", Buffer.from("x"));
    const listed = await listCopies(bucket);
    expect([listed.length, listed.filter(({ mark }) => mark !== null).length]).toEqual([601, 600]);
    expect(await newestCopy(bucket, quiet.nowMs)).toBe(scheduledName(START_MS, true));
    const pushed = await pushCopy(bucket, fileOf(1), quiet);
    expect(pushed.removed).toHaveLength(571);
    expect((await listCopies(bucket)).map(({ name }) => name)).toContain("theirs.txt");
    expect([server.objects.has("else/where"), server.objects.size]).toEqual([true, 62]);
  });
});

describe("the oldest copies go", () => {
  test("mark first, by name, and never what is not ours or not surplus", async () => {
    for (const day of [1, 2, 3]) await pushCopy(bucket, fileOf(day), { ...quiet, keep: 2 });
    const nameOf = (day: number) => scheduledName(START_MS + day * DAY_MS, true);
    expect((await listCopies(bucket)).map(({ name }) => name)).toEqual([nameOf(2), nameOf(3)]);
    const removals = server.asked.filter(({ method }) => method === "DELETE").map(({ key }) => key);
    expect(removals).toEqual([`captable/${nameOf(1)}${MARK}`, `captable/${nameOf(1)}`]);
    // What was never finished counts for nothing, stays while it may be, and goes with those of its age.
    server.objects.set(`captable/${nameOf(0)}`, Buffer.from("half"));
    server.objects.set(`captable/${nameOf(5)}`, Buffer.from("half"));
    await pushCopy(bucket, fileNamed("by-hand.age"), { ...quiet, keep: 1 });
    const left = (await listCopies(bucket)).map(({ name, mark }) => [name, mark !== null]);
    expect(left).toEqual([
      ["by-hand.age", true],
      [nameOf(3), true],
      [nameOf(5), false],
    ]);
  });

  test("but not the one just put there, whatever the clock says, and those of a clock that was ahead first", async () => {
    await pushCopy(bucket, fileOf(1000), quiet);
    await pushCopy(bucket, fileOf(1), { ...quiet, keep: 1, nowMs: START_MS + DAY_MS });
    expect((await listCopies(bucket)).map(({ name }) => name)).toEqual([scheduledName(START_MS + DAY_MS, true)]);
  });

  test("a refused removal is told, and no failure", async () => {
    for (const day of [1, 2]) await pushCopy(bucket, fileOf(day), quiet);
    server.rule = ({ method }) => (method === "DELETE" ? s3Refusal(403, "AccessDenied") : null);
    const pushed = await pushCopy(bucket, fileOf(3), { ...quiet, keep: 1 });
    expect(pushed.removed).toEqual([]);
    expect(pushed.notRemoved).toContain("AccessDenied");
    expect((await listCopies(bucket)).every(({ mark }) => mark !== null)).toBe(true);
  });
});

describe("a server that misbehaves", () => {
  /** Pushes, and looks at what counts then. */
  async function pushed(rule: S3Server["rule"], bytes = 1000): Promise<unknown> {
    server.rule = rule;
    const failure = await failureOf(pushCopy(bucket, fileOf(1, bytes), quiet));
    server.rule = () => null;
    expect((await listCopies(bucket)).filter(({ mark }) => mark !== null)).toEqual([]);
    return failure;
  }
  const isCopy = ({ key }: { key: string }) => key.endsWith(".age");

  test("refuses: its code is told", async () => {
    const failure = await pushed(() => s3Refusal(403, "QuotaExceeded"));
    expect([failure instanceof OffsiteError, String(failure)]).toEqual([
      true,
      expect.stringContaining("QuotaExceeded"),
    ]);
    for (const [key, code] of [
      [`${server.id}\nwrong\n`, "SignatureDoesNotMatch"],
      [`AKIAOTHER\n${server.secret}\n`, "InvalidAccessKeyId"],
    ] as const) {
      writeFileSync(keyFile, key);
      expect(String(await failureOf(pushCopy(openBucket(), fileOf(1), quiet)))).toContain(code);
      expect(String(await failureOf(listCopies(openBucket())))).toContain(code);
    }
  });

  test("refuses a part: the rest of the copy is given up", async () => {
    const failure = await pushed(
      ({ query }) => (query.get("partNumber") === "2" ? s3Refusal(403, "AccessDenied") : null),
      20 * 1024 * 1024,
    );
    expect(String(failure)).toContain("AccessDenied");
    expect(server.objects.size).toBe(0);
  });

  test("gives other bytes, fewer or more: the copy gets no mark", async () => {
    const answers = [
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])]),
      (bytes: Buffer) => bytes.subarray(0, -1),
      (bytes: Buffer) => Buffer.concat([bytes, Buffer.from([0])]),
      () => Buffer.alloc(0),
    ];
    for (const change of answers) {
      const failure = await pushed((request) => {
        const found = server.objects.get(request.key);
        return request.method === "GET" && isCopy(request) && found ? new Response(change(found)) : null;
      });
      expect(failure instanceof OtherBytesError || failure instanceof OffsiteError).toBe(true);
    }
  });

  test("says that it has a copy and has none, or gives another mark", async () => {
    expect(
      await pushed((request) => (request.method === "PUT" && isCopy(request) ? new Response() : null)),
    ).toBeInstanceOf(OffsiteError);
    server.rule = (request) =>
      request.method === "GET" && request.key.endsWith(MARK) && server.objects.has(request.key)
        ? new Response("{}")
        : null;
    expect(await failureOf(pushCopy(bucket, fileOf(1), quiet))).toBeInstanceOf(OtherBytesError);
  });

  test("ends in the middle of an answer, in good form and in bad", async () => {
    for (const isBroken of [false, true]) {
      const failure = await pushed((request) => {
        const found = server.objects.get(request.key);
        if (request.method !== "GET" || !isCopy(request) || !found) return null;
        const body = new ReadableStream({
          start: (controller) => controller.enqueue(found.subarray(0, 500)),
          pull: (controller) => (isBroken ? controller.error(new Error("broken off")) : controller.close()),
        });
        return new Response(body);
      });
      expect(failure).toBeInstanceOf(isBroken ? OffsiteError : OtherBytesError);
    }
  });

  test("sends without end: it is not read on", async () => {
    let sent = 0;
    const failure = await pushed((request) => {
      if (request.method !== "GET" || !isCopy(request) || !server.objects.has(request.key)) return null;
      const body = new ReadableStream({
        pull(controller) {
          sent += 65_536;
          controller.enqueue(new Uint8Array(65_536));
        },
      });
      return new Response(body);
    });
    expect(String(failure)).toContain("more than 1022 bytes");
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test("lists the same objects for ever", async () => {
    const page = "<Contents><Key>captable/a</Key><Size>1</Size></Contents><IsTruncated>true</IsTruncated>";
    server.rule = () => new Response(`<ListBucketResult>${page}</ListBucketResult>`);
    expect(String(await failureOf(bucket.list()))).toContain("again and again");
  });

  test.each(["PUT", "GET", "LIST"])("stalls at %s: it is ended where nothing moves", async (at) => {
    const file = fileOf(1);
    const name = basename(file);
    await pushCopy(bucket, file, quiet);
    server.rule = ({ method, key }) =>
      at === (key === "" ? "LIST" : method) ? new Promise<Response>(() => undefined) : null;
    const impatient = openBucket({}, 100);
    const step = {
      PUT: () => impatient.put("x", [MAGIC]),
      GET: () => impatient.read(name, 10_000, () => undefined),
      LIST: () => impatient.list(),
    }[at as "PUT" | "GET" | "LIST"];
    expect(String(await failureOf(step()))).toContain("nothing moved for 0.1 s");
  });

  test("stalls in the middle of what it sends", async () => {
    await pushCopy(bucket, fileOf(1), quiet);
    server.rule = ({ method, key }) => {
      if (method !== "GET" || !key.endsWith(".age")) return null;
      return new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(100)) }));
    };
    const failure = await failureOf(openBucket({}, 200).read(basename(fileOf(1)), 10_000, () => undefined));
    expect(String(failure)).toContain("nothing moved");
  });

  test("closes connections: what may be repeated is, up to twice", async () => {
    const file = fileOf(1);
    await pushCopy(bucket, file, quiet);
    const fronts: Server[] = [];
    /** A bucket behind a port of its own, which closes the first connections at their first bytes. */
    const behind = async (drops: number) => {
      let left = drops;
      const front = createServer((socket) => {
        socket.on("error", () => undefined);
        if (left-- > 0) return void socket.once("data", () => socket.destroy());
        const whole = connect(Number(new URL(server.url).port), "127.0.0.1");
        whole.on("error", () => socket.destroy());
        socket.pipe(whole).pipe(socket);
      });
      fronts.push(front);
      await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
      const { port } = front.address() as AddressInfo;
      return openBucket({ endpoint: `http://127.0.0.1:${port}` });
    };
    const steps: ((from: Bucket) => Promise<unknown>)[] = [
      (from) => from.list(),
      (from) => from.readText(basename(file), 2000),
      (from) => from.remove("none"),
    ];
    for (const step of steps) {
      expect(await failureOf(step(await behind(2)))).toBeNull();
      expect(await failureOf(step(await behind(100)))).toBeInstanceOf(OffsiteError);
    }
    for (const front of fronts) front.close();
  });

  test.each([
    [503, "SlowDown"],
    [503, "ServiceUnavailable"],
    [500, "InternalError"],
  ])("answers %i %s: it is asked again, up to twice", async (status, code) => {
    const file = fileOf(1);
    await pushCopy(bucket, file, quiet);
    const steps: readonly (() => Promise<unknown>)[] = [
      () => bucket.list(),
      () => bucket.readText(basename(file), 2000),
      () => bucket.remove("none"),
      () => bucket.put("small", [MAGIC]),
      () => pushCopy(bucket, fileOf(2), quiet),
    ];
    for (const step of steps) {
      for (const [refusals, isWell] of [
        [2, true],
        [3, false],
      ] as const) {
        let left: number = refusals;
        server.rule = () => (left-- > 0 ? s3Refusal(status, code) : null);
        const failure = await failureOf(step());
        expect(failure === null || String(failure).includes(code)).toBe(true);
        expect(failure === null).toBe(isWell);
      }
    }
    // What another try does not mend is not tried again.
    server.rule = () => s3Refusal(403, "AccessDenied");
    const before = server.asked.length;
    expect(String(await failureOf(bucket.list()))).toContain("AccessDenied");
    expect(server.asked.length - before).toBe(1);
  });

  test("is not there", async () => {
    const nowhere = openBucket({ endpoint: "http://127.0.0.1:1" });
    expect(await failureOf(nowhere.list())).toBeInstanceOf(OffsiteError);
    const other = openBucket({ bucket: "another" });
    expect(String(await failureOf(other.list()))).toContain("NoSuchBucket");
  });
});

describe("fetching", () => {
  test("leaves an older file as it was unless the copy is whole", async () => {
    const file = fileOf(1);
    const name = basename(file);
    await pushCopy(bucket, file, quiet);
    const out = join(folder, "kept");
    writeFileSync(out, "older");
    server.objects.set(`captable/${name}`, randomBytes(1022));
    expect(await failureOf(fetchCopy(bucket, name, out, quiet.onStage))).toBeInstanceOf(OtherBytesError);
    expect(readFileSync(out, "utf8")).toBe("older");
    expect(existsSync(`${out}.${process.pid}.part`)).toBe(false);
    expect(await failureOf(verifyCopy(bucket, name, quiet.onStage))).toBeInstanceOf(OtherBytesError);
    // A mark of another shape, or of another copy, does not count.
    for (const mark of ["", "{}", '{"name":"x","bytes":1,"sha256":"0","createdAt":"","heads":null}']) {
      server.objects.set(`captable/${name}${MARK}`, Buffer.from(mark));
      expect(await failureOf(fetchCopy(bucket, name, out, quiet.onStage))).toBeInstanceOf(OffsiteError);
    }
  });
});

test("the key's file holds two lines, and others cannot read it", () => {
  expect(readBucketKey(keyFile)).toEqual({ accessKeyId: server.id, secretAccessKey: server.secret });
  for (const text of ["", "id", "id\n\n", "id\nsecret\nmore", "\nsecret"]) {
    writeFileSync(keyFile, text);
    expect(() => readBucketKey(keyFile)).toThrow("two lines");
  }
  const open = join(folder, "open.key");
  writeFileSync(open, "id\nsecret", { mode: 0o644 });
  expect(() => readBucketKey(open)).toThrow("set it to 600");
});

test("the newest backup alone is due, and only where it is encrypted", async () => {
  const backups = mkdtempSync(join(folder, "backups-"));
  const pushedFiles: string[] = [];
  const plan = {
    folder: backups,
    runtime: { nowMs: () => quiet.nowMs },
    push: async (file: string) => void pushedFiles.push(basename(file)),
    onTrouble: () => undefined,
  };
  expect(await copyIfDue({ ...plan, folder: join(backups, "none") }, null)).toBeNull();
  const put = (day: number, isEncrypted: boolean) => {
    const name = scheduledName(START_MS + day * DAY_MS, isEncrypted);
    writeFileSync(join(backups, name), "");
    return name;
  };
  put(3, false);
  expect(await copyIfDue(plan, null)).toBeNull();
  put(1, true);
  const second = put(2, true);
  expect(await copyIfDue(plan, null)).toBe(second);
  expect(await copyIfDue(plan, second)).toBe(second);
  expect(pushedFiles).toEqual([second]);
});
