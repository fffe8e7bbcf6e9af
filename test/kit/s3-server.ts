// A server that speaks as much S3 as the program uses, checks signatures (AWS Signature Version 4) strictly, and
// misbehaves on demand. Objects are in memory.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

const ID = "AKIATESTONLY";
const SECRET = "a/secret+of the tests";
const REGION = "eu-test-1";
const SKEW_MS = 300_000;
const PAGE = 1000;

/** What a request is, for a rule that answers in its place. */
export interface S3Request {
  readonly method: string;
  /** Without the bucket. */
  readonly key: string;
  readonly query: URLSearchParams;
}

/** A server of one bucket. */
export interface S3Server {
  readonly url: string;
  readonly settings: { readonly bucket: string; readonly region: string };
  readonly id: string;
  readonly secret: string;
  readonly objects: Map<string, Buffer>;
  readonly asked: S3Request[];
  /** Uploads in parts that were neither finished nor given up. */
  readonly uploads: Map<string, Map<number, Buffer>>;
  /** Answers in the server's place, or null to let it answer. */
  rule: (request: S3Request) => Response | Promise<Response> | null;
  /** Called with each part of an upload and its length, and waited for. */
  onPart: (part: number, bytes: number) => Promise<void>;
  stop(): void;
}

/** The answer with which S3 refuses. */
export function s3Refusal(status: number, code: string, message = "refused by the test"): Response {
  const text = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return new Response(text, { status, headers: { "content-type": "application/xml" } });
}

/** Starts a server with an empty bucket. */
export function startS3Server(bucket = "copies"): S3Server {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Map<number, Buffer>>();
  const asked: S3Request[] = [];
  const listening = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    // An answer that a rule breaks off is no failure of the test.
    error: () => s3Refusal(500, "InternalError"),
    maxRequestBodySize: 4 * 1024 ** 3,
    async fetch(request) {
      const url = new URL(request.url);
      const path = url.pathname;
      if (path !== `/${bucket}` && !path.startsWith(`/${bucket}/`)) return s3Refusal(404, "NoSuchBucket");
      const key = decodeURIComponent(path.slice(bucket.length + 2));
      const known = { method: request.method, key, query: url.searchParams };
      asked.push(known);
      const instead = await server.rule(known);
      if (instead !== null) return instead;
      const body = Buffer.from(await request.arrayBuffer());
      const fault = faultOf(request, url, body);
      const part = url.searchParams.get("partNumber");
      if (part !== null) await server.onPart(Number(part), body.length);
      return fault === null ? answer(known, body) : s3Refusal(403, fault);
    },
  });

  function answer({ method, key, query }: S3Request, body: Buffer): Response {
    if (key === "") return query.get("list-type") === "2" ? list(query) : s3Refusal(400, "InvalidRequest");
    const uploadId = query.get("uploadId");
    if (method === "POST" && query.has("uploads")) {
      const id = `upload-${uploads.size + asked.length}`;
      uploads.set(id, new Map());
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    if (uploadId !== null) {
      const parts = uploads.get(uploadId);
      if (parts === undefined) return s3Refusal(404, "NoSuchUpload");
      if (method === "PUT") {
        parts.set(Number(query.get("partNumber")), body);
        return new Response(null, { headers: { etag: etagOf(body) } });
      }
      uploads.delete(uploadId);
      if (method === "DELETE") return new Response(null, { status: 204 });
      const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, part]) => Number(part));
      const whole = named.map((part) => parts.get(part));
      if (whole.some((part) => part === undefined)) return s3Refusal(400, "InvalidPart");
      objects.set(key, Buffer.concat(whole as Buffer[]));
      return xml(`<CompleteMultipartUploadResult><Key>k</Key><ETag>"x"</ETag></CompleteMultipartUploadResult>`);
    }
    const found = objects.get(key);
    if (method === "PUT") {
      objects.set(key, body);
      return new Response(null, { headers: { etag: etagOf(body) } });
    }
    if (method === "DELETE") {
      objects.delete(key);
      return new Response(null, { status: 204 });
    }
    if (found === undefined) return s3Refusal(404, "NoSuchKey");
    return new Response(method === "HEAD" ? null : new Uint8Array(found), { headers: { etag: etagOf(found) } });
  }

  function list(query: URLSearchParams): Response {
    const prefix = query.get("prefix") ?? "";
    const after = query.get("start-after") ?? "";
    const keys = [...objects.keys()].sort().filter((key) => key.startsWith(prefix) && key > after);
    const page = keys.slice(0, PAGE);
    const contents = page.map(
      (key) => `<Contents><Key>${escaped(key)}</Key><Size>${objects.get(key)?.length ?? 0}</Size></Contents>`,
    );
    const cut = `<IsTruncated>${keys.length > page.length}</IsTruncated><KeyCount>${page.length}</KeyCount>`;
    return xml(`<ListBucketResult><Name>${bucket}</Name>${cut}${contents.join("")}</ListBucketResult>`);
  }

  const server: S3Server = {
    url: `http://127.0.0.1:${listening.port}`,
    settings: { bucket, region: REGION },
    id: ID,
    secret: SECRET,
    objects,
    asked,
    uploads,
    rule: () => null,
    onPart: async () => undefined,
    stop: () => void listening.stop(true),
  };
  return server;
}

function xml(text: string): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>${text}`, {
    headers: { "content-type": "application/xml" },
  });
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function etagOf(body: Uint8Array): string {
  return `"${createHash("md5").update(body).digest("hex")}"`;
}

/** The code by which S3 refuses a request whose signature is not right; null for one that is. */
function faultOf(request: Request, url: URL, body: Uint8Array): string | null {
  const given = request.headers.get("authorization") ?? "";
  const form = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(given);
  if (form === null) return "AccessDenied";
  const [, credential = "", names = "", signature = ""] = form;
  const time = request.headers.get("x-amz-date") ?? "";
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/.exec(time) ?? [];
  const ms = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
  if (!(Math.abs(Date.now() - ms) <= SKEW_MS)) return "RequestTimeTooSkewed";
  const scope = `${time.slice(0, 8)}/${REGION}/s3/aws4_request`;
  if (credential !== `${ID}/${scope}`) return "InvalidAccessKeyId";
  const signed = names.split(";");
  if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => signed.includes(name))) return "AccessDenied";
  const digest = request.headers.get("x-amz-content-sha256") ?? "";
  if (digest !== "UNSIGNED-PAYLOAD" && digest !== createHash("sha256").update(body).digest("hex")) {
    return "XAmzContentSHA256Mismatch";
  }
  const raw = url.search.slice(1).split("&");
  const query = (url.search === "" ? [] : raw.map((pair) => (pair.includes("=") ? pair : `${pair}=`))).sort().join("&");
  const headers = signed.map((name) => `${name}:${(request.headers.get(name) ?? "").trim()}\n`).join("");
  const canonical = [request.method, url.pathname, query, headers, names, digest].join("\n");
  const text = ["AWS4-HMAC-SHA256", time, scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
  const key = scope.split("/").reduce<Buffer>((from, part) => mac(from, part), Buffer.from(`AWS4${SECRET}`));
  return timingSafeEqual(mac(key, text), Buffer.from(signature, "hex")) ? null : "SignatureDoesNotMatch";
}

function mac(key: Uint8Array, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
