// Secrets stay where they belong: a server and the commands are run with marked secrets through success and trouble,
// and then everything that was written, shown or answered is searched for them. And no client learns from a 401 what
// was wrong with a key.
import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { unzipSync } from "fflate";
import { Service } from "../kit/in-process.ts";
import { PROGRAM, programEnvironment } from "../kit/program.ts";
import { proved } from "../kit/proof.ts";
import { RELEASE } from "../kit/release.ts";

const PASSWORD = "CANARY-rpc-password";
const TOKEN = "CANARY-rpc-token";
const KEYSTORE_PASSWORD = "CANARY-keystore-password";
const CHAIN_KEY = "c0ffee00deadbeefc0ffee00deadbeefc0ffee00deadbeefc0ffee00deadbeef";
/** A key that no organization has: what is refused must not be written down either. */
const UNKNOWN_KEY = `pg_live_${"CANARY".repeat(8).slice(0, 43)}`;
/** The only files of a data directory that may hold a secret (README). */
const KEY_FILES = ["admin.key", "chain-operator.key", "wallet-seed"];

const folder = mkdtempSync(join(tmpdir(), "captable-secrets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function privateFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/** Everything that could be seen by a reader who has none of the key files, by where it was seen. */
class Seen {
  readonly #places = new Map<string, Buffer>();

  add(place: string, content: string | Uint8Array): void {
    this.#places.set(`${place} (${this.#places.size})`, Buffer.from(content as Uint8Array));
  }

  addFiles(dir: string): void {
    for (const name of readdirSync(dir)) {
      const path = join(dir, name);
      if (statSync(path).isDirectory()) this.addFiles(path);
      else if (!KEY_FILES.includes(name)) this.add(path, readFileSync(path));
    }
  }

  get size(): number {
    return this.#places.size;
  }

  /** Where which secrets were seen. */
  search(secrets: ReadonlyMap<string, string>): string[] {
    const found: string[] = [];
    for (const [place, content] of this.#places) {
      for (const [name, secret] of secrets) {
        if (formsOf(secret).some((form) => content.includes(form))) found.push(`${name} in ${place}`);
      }
    }
    return found;
  }
}

/** The forms in which a secret might be written. */
function formsOf(secret: string): Buffer[] {
  const plain = Buffer.from(secret);
  const texts = [plain.toString("base64").replace(/=+$/, ""), plain.toString("hex"), encodeURIComponent(secret)];
  const isHex = /^[0-9a-f]{64}$/.test(secret);
  const raw = isHex ? [Buffer.from(secret, "hex"), Buffer.from(secret.toUpperCase())] : [];
  return [plain, ...texts.map((text) => Buffer.from(text)), ...raw];
}

async function run(seen: Seen, args: readonly string[], environment: Record<string, string>) {
  const child = Bun.spawn([...PROGRAM, ...args], {
    env: programEnvironment(environment),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const status = await child.exited;
  // The one command whose answer is a key.
  const isKeyMade = args[0] === "keys" && args[1] === "create" && status === 0;
  if (!isKeyMade) seen.add(`stdout of ${args.slice(0, 2).join(" ")}`, stdout);
  seen.add(`stderr of ${args.slice(0, 2).join(" ")}`, stderr);
  return { status, stdout };
}

/** Starts a server whose output goes to files. */
async function serve(seen: Seen, dataDir: string, log: string, environment: Record<string, string>) {
  const [out, err] = [join(folder, `${basename(dataDir)}-out.txt`), join(folder, `${basename(dataDir)}-err.txt`)];
  const child = Bun.spawn([...PROGRAM, "serve", "--data-dir", dataDir, "--port", "0"], {
    env: programEnvironment({ CAPTABLE_LOG: log, CAPTABLE_RATE_LIMIT: "0", ...environment }),
    stdout: Bun.file(out),
    stderr: Bun.file(err),
  });
  for (let waited = 0; waited < 600 && child.exitCode === null; waited++) {
    const url = /serving (http:\/\/\S+?),/.exec(readFileSync(err, "utf8"))?.[1];
    if (url) {
      seen.add("the command line", readFileSync(`/proc/${child.pid}/cmdline`));
      return {
        url,
        async end() {
          child.kill("SIGTERM");
          await child.exited;
          seen.add("stdout of serve", readFileSync(out));
          seen.add("stderr of serve", readFileSync(err));
        },
      };
    }
    await Bun.sleep(50);
  }
  throw new Error(`serve ended: ${readFileSync(err, "utf8")}`);
}

/** A node that is in trouble, and says back whatever it was sent. */
function failingNode() {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const said = `${request.url} ${request.headers.get("authorization")} ${await request.text()}`;
      return new Response(`<h1>502 Bad Gateway</h1>${said}`, { status: 502, headers: { "x-echo": request.url } });
    },
  });
}

/** Uses the API as people do, wrong keys included; returns the keys that it was given. */
async function use(seen: Seen, url: string, key: string): Promise<string[]> {
  const call = async (method: string, path: string, body?: unknown, bearer = key, place = path) => {
    const headers = {
      authorization: `Bearer ${bearer}`,
      "content-type": "application/json",
      "idempotency-key": "once",
    };
    const response = await fetch(
      url + path,
      body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) },
    );
    const bytes = await response.bytes();
    const isKeyMade = method === "POST" && path.endsWith("/api-keys");
    if (!isKeyMade) seen.add(`${method} ${place}`, bytes);
    return { status: response.status, bytes, json: () => JSON.parse(new TextDecoder().decode(bytes)) };
  };
  const made = await call("POST", "/api/v1/api-keys", { name: "Second", role: "EDITOR" });
  const second: string = made.json().key;
  expect(second).toStartWith("pg_live_");
  for (const bearer of [UNKNOWN_KEY, `${key}x`, "CANARY"]) {
    expect((await call("GET", "/api/v1/stakeholders", undefined, bearer)).status).toBe(401);
  }
  await call("GET", `/api/v1/stakeholders?api_key=${UNKNOWN_KEY}`, undefined, key, "/api/v1/stakeholders?api_key");
  const shareClass = {
    name: "Common",
    classType: "COMMON",
    defaultIdPrefix: "C-",
    initialSharesAuthorized: "10",
    votesPerShare: "1",
    seniority: 1,
  };
  expect((await call("POST", "/api/v1/share-classes", shareClass)).status).toBe(201);
  await call(
    "POST",
    "/api/v1/stakeholders",
    { displayName: "Ada", name: { legalName: "Ada" }, type: "INDIVIDUAL" },
    second,
  );
  await Bun.sleep(1500);
  for (const path of ["share-classes", "stakeholders", "audit-log", "api-keys", "openapi.json"])
    await call("GET", `/api/v1/${path}`);
  for (const path of ["/metrics", "/docs", "/readyz", "/healthz", "/problems/unauthorized"]) await call("GET", path);
  const exported = await call("GET", "/api/v1/cap-table/ocf-export");
  for (const [name, content] of Object.entries(unzipSync(exported.bytes))) seen.add(`export ${name}`, content);
  return [second];
}

/** What the README names: the seed's words, and the key of the chain's operator where the service made one. */
function secretsIn(dataDir: string): Map<string, string> {
  const secrets = new Map<string, string>();
  for (const name of KEY_FILES) {
    const file = join(dataDir, name);
    if (!readdirSync(dataDir).includes(name)) continue;
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    secrets.set(name, readFileSync(file, "utf8").trim().replace(/^0x/, ""));
  }
  return secrets;
}

const COMMANDS = (dataDir: string, name: string): readonly (readonly string[])[] =>
  [
    ["org", "list", "--json"],
    ["keys", "list", "--json"],
    ["jobs", "list", "--json"],
    ["chain", "status", "--json"],
    ["chain", "reconcile"],
    ["verify"],
    ["ocf", "export", "--out", join(folder, `${name}.zip`)],
    ["backup", "--out", join(folder, `${name}.tar`)],
    ["migrate", "--status"],
  ].map((args) => [...args, "--data-dir", dataDir]);

async function live(seen: Seen, log: string, environment: Record<string, string>): Promise<Map<string, string>> {
  const name = `data-${log}-${Object.keys(environment).length}`;
  const dataDir = join(folder, name);
  const server = await serve(seen, dataDir, log, environment);
  const key = readFileSync(join(dataDir, "admin.key"), "utf8").trim();
  const keys = await use(seen, server.url, key);
  for (const args of COMMANDS(dataDir, name)) await run(seen, args, environment);
  const made = await run(
    seen,
    ["keys", "create", "--name", "ci", "--role", "VIEWER", "--data-dir", dataDir],
    environment,
  );
  keys.push(made.stdout.trim());
  // With the log of writes still beside the database, and once more without.
  seen.addFiles(dataDir);
  await server.end();
  seen.addFiles(dataDir);
  seen.add("backup", readFileSync(join(folder, `${name}.tar`)));
  for (const [file, content] of Object.entries(unzipSync(readFileSync(join(folder, `${name}.zip`)))))
    seen.add(`CLI export ${file}`, content);
  return new Map([...secretsIn(dataDir), ...keys.map((made, index) => [`API key ${index}`, made] as const)]);
}

test("S12: keys, passwords and seeds are in the key files and nowhere else", async () => {
  const seen = new Seen();
  const secrets = new Map([
    ["the RPC password", PASSWORD],
    ["the RPC token", TOKEN],
    ["the keystore's password", KEYSTORE_PASSWORD],
    ["the chain key", CHAIN_KEY],
    ["a refused API key", UNKNOWN_KEY],
  ]);
  await using node = { server: failingNode(), [Symbol.asyncDispose]: () => node.server.stop(true) };
  const rpc = (port: number) => `http://operator:${PASSWORD}@127.0.0.1:${port}/v3/${TOKEN}`;
  const keyFile = privateFile("operator.txt", `0x${CHAIN_KEY}\n`);
  const chain = (port: number) => ({
    CAPTABLE_CHAIN_RPC_URL: rpc(port),
    CAPTABLE_CHAIN_KEY_FILE: keyFile,
    CAPTABLE_CHAIN_ID: "1",
  });
  const lives: [string, Record<string, string>][] = [
    ["json", {}],
    ["json", chain(node.server.port ?? 0)],
    // No program listens on port 9.
    ["pretty", { ...chain(9), CAPTABLE_CHAIN_CONFIRMATIONS: "2" }],
  ];
  // One life takes some ten starts of the program.
  for (const [log, environment] of RELEASE ? lives : lives.slice(1, 2)) {
    let index = 0;
    for (const [name, secret] of await live(seen, log, environment))
      secrets.set(`${name} of ${log} ${index++} ${secret.length}`, secret);
  }
  await tryWrongKeyFiles(seen, rpc(9));
  expect(seen.size).toBeGreaterThan(60);
  expect(seen.search(new Map([["what must be found", "captable"]])).length).toBeGreaterThan(10);
  expect(seen.search(secrets)).toEqual([]);
  const result = `0 secrets outside of the key files`;
  proved({
    fault: "S12",
    what: `places searched for ${secrets.size} marked secrets`,
    count: seen.size,
    seed: "–",
    result,
  });
}, 900_000);

test("S12: a secret would be found in whatever form it were written", () => {
  const secret = CHAIN_KEY;
  for (const form of formsOf(secret)) {
    const seen = new Seen();
    seen.add("nothing", "a page without any");
    seen.add("a page", Buffer.concat([Buffer.from("before "), form, Buffer.from(" after")]));
    expect(seen.search(new Map([["the key", secret]]))).toEqual(["the key in a page (1)"]);
  }
});

/** Key files that cannot be used: the message names the file, and nothing of what is in it. */
async function tryWrongKeyFiles(seen: Seen, rpcUrl: string): Promise<void> {
  const password = privateFile("password.txt", KEYSTORE_PASSWORD);
  const open = privateFile("open.txt", CHAIN_KEY);
  chmodSync(open, 0o644);
  const wrong = [
    open,
    privateFile("short.txt", `${CHAIN_KEY.slice(0, 60)} CANARY-rpc-token`),
    privateFile("keystore.json", KEYSTORE),
    privateFile("no.json", `{"${CHAIN_KEY}"`),
  ];
  for (const file of wrong) {
    const dataDir = join(folder, `wrong-${basename(file)}`);
    const environment = {
      CAPTABLE_CHAIN_RPC_URL: rpcUrl,
      CAPTABLE_CHAIN_KEY_FILE: file,
      CAPTABLE_CHAIN_KEY_PASSWORD_FILE: password,
    };
    const { status } = await run(seen, ["serve", "--data-dir", dataDir, "--port", "0"], environment);
    expect({ file, isRefused: status !== 0 }).toEqual({ file, isRefused: true });
  }
  const twoAtOnce = { CAPTABLE_CHAIN_RPC_URL: `nonsense://operator:${PASSWORD}@host/${TOKEN}` };
  expect((await run(seen, ["serve", "--data-dir", join(folder, "nonsense"), "--port", "0"], twoAtOnce)).status).toBe(2);
}

/** A keystore that another password opens. */
const KEYSTORE = JSON.stringify({
  version: 3,
  id: "0190f5a2-6c1e-4b3a-9d4e-1f2a3b4c5d6e",
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "83dbcc02d8ccb40e466191a123791e0e" },
    ciphertext: "d172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c",
    kdf: "scrypt",
    kdfparams: {
      dklen: 32,
      n: 1024,
      r: 1,
      p: 8,
      salt: "ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19",
    },
    mac: "2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097",
  },
});

test("S13: every 401 says the same, whatever was wrong with the key", async () => {
  const service = await Service.start(1);
  try {
    const orgId = await service.newOrganization();
    const key = await service.key(orgId);
    const revoked = await service.api("POST", "/api-keys", { name: "Gone", role: "ADMIN" }, { orgId });
    await service.api("DELETE", `/api-keys/${revoked.json.id}`, undefined, { orgId });
    const headers = [
      null,
      "",
      "Bearer",
      "Bearer ",
      `Basic ${btoa(`user:${key}`)}`,
      "Bearer x",
      `Bearer ${key.slice(0, -1)}`,
      `Bearer ${key}x`,
      `Bearer ${key} ${key}`,
      `Bearer ${key.replace("pg_test_", "pg_live_")}`,
      `Bearer pg_test_${"A".repeat(43)}`,
      `Bearer ${revoked.json.key}`,
      key,
      `Bearer ${"x".repeat(8000)}`,
    ];
    const answers = await Promise.all(
      headers.flatMap((authorization) =>
        ["/stakeholders", "/api-keys", "/cap-table/summary", "/stakeholders/unknown"].map(async (path) => {
          const answer = await service.send({
            method: "GET",
            path,
            headers: authorization === null ? {} : { authorization },
          });
          const { instance: _instance, ...rest } = answer.json;
          const shown = [...answer.headers].filter(([name]) => name !== "x-request-id");
          return JSON.stringify({ status: answer.status, rest, shown });
        }),
      ),
    );
    expect(answers[0]).toContain('"status":401');
    expect([...new Set(answers)]).toEqual([answers[0] ?? ""]);
    expect(
      (await service.send({ method: "GET", path: "/stakeholders", headers: { authorization: `bearer ${key}` } }))
        .status,
    ).toBe(200);
    proved({
      fault: "S13",
      what: "refused keys of every kind",
      count: answers.length,
      seed: "–",
      result: "one answer",
    });
  } finally {
    await service.stop();
  }
});
