// A witness of the tests' own, written from the texts of C2SP (tlog-witness, tlog-checkpoint, tlog-cosignature,
// signed-note) and RFC 6962 alone, over HTTP. It can be made to lie.
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";

const sha = (...parts: readonly Uint8Array[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const node = (left: Uint8Array, right: Uint8Array) => sha(Uint8Array.of(1), left, right);

/** The two roots that a consistency proof leads to, by RFC 6962's SUBPROOF read backwards; null where it does not fit. */
function rootsOf(m: number, n: number, oldRoot: Uint8Array, proof: Uint8Array[]): [Uint8Array, Uint8Array] | null {
  const next = () => proof.shift() ?? new Uint8Array();
  const walk = (old: number, size: number, isWhole: boolean): [Uint8Array, Uint8Array] => {
    if (old === size) {
      const hash = isWhole ? oldRoot : next();
      return [hash, hash];
    }
    const k = 2 ** (Math.ceil(Math.log2(size)) - 1);
    if (old <= k) {
      const [before, left] = walk(old, k, isWhole);
      return [before, node(left, next())];
    }
    const [before, right] = walk(old - k, size - k, false);
    const left = next();
    return [node(left, before), node(left, right)];
  };
  const roots = walk(m, n, true);
  return proof.length === 0 ? roots : null;
}

/** How a witness lies, or fails. */
export type Lie =
  | "other-key"
  | "other-note"
  | "ahead"
  | "no-number"
  | "always-behind"
  | "silent"
  | "huge"
  | "redirect"
  | "quantum";

interface Seen {
  readonly size: number;
  readonly root: Buffer;
}

/** A witness. */
export class TestWitness {
  readonly name: string;
  /** Its key, as C2SP writes it. */
  readonly verifierKey: string;
  /** What it signed last, by origin. */
  readonly seen = new Map<string, Seen>();
  /** The bodies that it got. */
  readonly asked: string[] = [];
  /** What it answered: the statuses. */
  readonly answered: number[] = [];
  lie: Lie | null = null;
  /** Answers wait for it. */
  ready: Promise<void> = Promise.resolve();
  readonly #key: KeyObject;
  readonly #id: Buffer;
  readonly #logKeys = new Map<string, KeyObject>();
  readonly #server: ReturnType<typeof Bun.serve>;

  constructor(name = "witness.example/w1") {
    this.name = name;
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    this.#key = privateKey;
    const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
    const material = Buffer.concat([Uint8Array.of(4), raw]);
    this.#id = sha(Buffer.from(`${name}\n`), material).subarray(0, 4);
    this.verifierKey = `${name}+${this.#id.toString("hex")}+${material.toString("base64")}`;
    this.#server = Bun.serve({ port: 0, fetch: (request) => this.#answer(request) });
  }

  /** Its line in a file of witnesses. */
  get line(): string {
    return `${this.verifierKey} http://127.0.0.1:${this.#server.port}/submit/\n`;
  }

  /** Has it trust a log, by the key that C2SP writes for the log's origin. */
  trust(verifierKey: string): void {
    const [, origin = "", encoded = ""] = /^([^+]+)\+[0-9a-f]{8}\+(.+)$/.exec(verifierKey) ?? [];
    const material = Buffer.from(encoded, "base64");
    const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), material.subarray(1)]);
    this.#logKeys.set(origin, createPublicKey({ key: der, format: "der", type: "spki" }));
  }

  /** A cosignature line of a note's text. */
  cosign(text: string, key = this.#key): string {
    const time = Math.floor(Date.now() / 1000);
    const seconds = Buffer.alloc(8);
    seconds.writeBigUInt64BE(BigInt(time));
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), key);
    return `— ${this.name} ${Buffer.concat([this.#id, seconds, signature]).toString("base64")}\n`;
  }

  stop(): Promise<void> {
    return this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const body = await request.text();
    this.asked.push(body);
    await this.ready;
    const { pathname } = new URL(request.url);
    const response =
      request.method !== "POST" || pathname !== "/submit/add-checkpoint"
        ? new Response(null, { status: 404 })
        : await this.#decide(body);
    this.answered.push(response.status);
    return response;
  }

  async #decide(body: string): Promise<Response> {
    const refused = (status: number) => new Response(null, { status });
    const [head = "", text = "", signatures = ""] = body.split("\n\n");
    const [first = "", ...lines] = head.split("\n");
    const old = /^old (0|[1-9]\d*)$/.exec(first)?.[1];
    const [origin = "", sizeLine = "", rootLine = ""] = text.split("\n");
    if (old === undefined || lines.length > 63) return refused(400);
    const key = this.#logKeys.get(origin);
    if (!key) return refused(404);
    const size = Number(sizeLine);
    const root = Buffer.from(rootLine, "base64");
    const isSigned = signatures.split("\n").some((line) => {
      const [, name, encoded = ""] = /^— (\S+) (\S+)$/.exec(line) ?? [];
      return name === origin && verify(null, Buffer.from(`${text}\n`), key, Buffer.from(encoded, "base64").subarray(4));
    });
    if (!isSigned) return refused(403);
    if (Number(old) > size) return refused(400);
    const lie = await this.#lied(`${text}\n`, size);
    if (lie) return lie;
    const last = this.seen.get(origin) ?? { size: 0, root: sha() };
    const conflict = () =>
      new Response(`${last.size}\n`, { status: 409, headers: { "content-type": "text/x.tlog.size" } });
    if (Number(old) !== last.size) return conflict();
    if (last.size === size && !last.root.equals(root)) return conflict();
    const proof = lines.map((line) => Buffer.from(line, "base64"));
    if (last.size > 0 && last.size < size) {
      const roots = rootsOf(last.size, size, last.root, proof);
      if (!roots || !last.root.equals(roots[0]) || !root.equals(roots[1])) return refused(422);
    } else if (proof.length > 0) return refused(422);
    this.seen.set(origin, { size, root });
    const quantum =
      this.lie === "quantum"
        ? `— ${this.name} ${Buffer.alloc(4 + 8 + 2420)
            .fill(3, 11)
            .toString("base64")}\n`
        : "";
    return new Response(`— stranger ${Buffer.alloc(76).toString("base64")}\n${quantum}${this.cosign(`${text}\n`)}`);
  }

  async #lied(text: string, size: number): Promise<Response | null> {
    switch (this.lie) {
      case "other-key":
        return new Response(this.cosign(text, generateKeyPairSync("ed25519").privateKey));
      case "other-note":
        return new Response(this.cosign(text.replace(`\n${size}\n`, `\n${size + 1}\n`)));
      case "ahead":
        return new Response(`${size + 5}\n`, { status: 409 });
      case "no-number":
        return new Response("soon\n", { status: 409 });
      case "always-behind":
        return new Response(`${Math.max(0, size - 1)}\n`, { status: 409 });
      case "silent":
        await Bun.sleep(60_000);
        return null;
      case "huge":
        return new Response("x".repeat(1_000_000));
      case "redirect":
        return Response.redirect("http://127.0.0.1:1/", 302);
      default:
        return null;
    }
  }
}
