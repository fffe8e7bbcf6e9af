// OpenStack Swift with its middleware s3api (Debian: swift-proxy, swift-account, swift-container, swift-object), as a
// second server that speaks S3: one node in a temporary folder, begun by the test that needs it.
import { createHash, createHmac } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leavesProcess } from "./release.ts";

const PYTHON = "/usr/bin/python3";
const NEEDED = ["swift-proxy-server", "swift-account-server", "swift-container-server", "swift-object-server"];
const SECRET = "testing";
const ID = "test:tester";
const REGION = "us-east-1";
const TRIES = 600;

/** Whether this machine has it. */
export const hasSwift: boolean =
  existsSync(PYTHON) && [...NEEDED, "swift-ring-builder"].every((name) => Bun.which(name) !== null);

/** A running node with one bucket. */
export interface Swift {
  readonly url: string;
  readonly bucket: string;
  readonly region: string;
  readonly id: string;
  readonly secret: string;
  /** The folder in which the objects are stored as they came. */
  readonly stored: string;
  stop(): Promise<void>;
}

/** Starts a node and makes a bucket. */
export async function startSwift(bucket = "copies"): Promise<Swift> {
  leavesProcess("OpenStack Swift");
  const folder = mkdtempSync(join(tmpdir(), "captable-swift-"));
  const stored = join(folder, "node");
  mkdirSync(join(stored, "sdb1"), { recursive: true });
  const etc = join(folder, "etc");
  mkdirSync(etc);
  const ports = freePorts(4);
  const [proxy = 0, ...others] = ports;
  writeFileSync(
    join(etc, "swift.conf"),
    "[swift-hash]\nswift_hash_path_suffix = tests\n[storage-policy:0]\nname = p\ndefault = yes\n",
  );
  const kinds = ["account", "container", "object"] as const;
  kinds.forEach((kind, index) => {
    const port = others[index] ?? 0;
    writeFileSync(join(etc, `${kind}.conf`), nodeConfiguration(kind, port, etc, stored));
    for (const words of [["create", "4", "1", "1"], ["add", `r1z1-127.0.0.1:${port}/sdb1`, "1"], ["rebalance"]]) {
      Bun.spawnSync(["swift-ring-builder", join(etc, `${kind}.builder`), ...words], { stdout: "ignore" });
    }
  });
  writeFileSync(join(etc, "proxy.conf"), proxyConfiguration(proxy, etc));
  const children = [...kinds, "proxy" as const].map((kind) => startServer(kind, etc, folder));
  const swift = { url: `http://127.0.0.1:${proxy}`, bucket, region: REGION, id: ID, secret: SECRET, stored };
  const stop = async () => {
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(children.map((child) => child.exited));
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; ; tries++) {
    const status = await makeBucket(swift).catch(() => 0);
    if (status === 200) return { ...swift, stop };
    if (tries < TRIES) await Bun.sleep(100);
    else {
      await stop();
      throw new Error(`Swift does not answer (${status})`);
    }
  }
}

function startServer(kind: string, etc: string, folder: string): Bun.Subprocess {
  const script = [
    "import sys",
    "from swift.common import utils",
    `utils.SWIFT_CONF_FILE = ${JSON.stringify(join(etc, "swift.conf"))}`,
    "from swift.common.wsgi import run_wsgi",
    `sys.exit(run_wsgi(${JSON.stringify(join(etc, `${kind}.conf`))}, ${JSON.stringify(`${kind}-server`)}, verbose=True))`,
  ].join("\n");
  const log = openSync(join(folder, `${kind}.log`), "a");
  return Bun.spawn([PYTHON, "-c", script], { stdout: log, stderr: log, stdin: "ignore" });
}

function nodeConfiguration(kind: string, port: number, etc: string, stored: string): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
swift_dir = ${etc}
devices = ${stored}
mount_check = false
fallocate_reserve = 0
workers = 0
${userLine()}
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`;
}

function proxyConfiguration(port: number, etc: string): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
swift_dir = ${etc}
workers = 0
${userLine()}
[pipeline:main]
pipeline = catch_errors cache listing_formats s3api tempauth bulk slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = ${REGION}
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${SECRET} .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
`;
}

function userLine(): string {
  return `user = ${Bun.spawnSync(["id", "-un"]).stdout.toString().trim()}`;
}

function freePorts(count: number): number[] {
  const listeners = Array.from({ length: count }, () =>
    Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } }),
  );
  const ports = listeners.map(({ port }) => port);
  for (const listener of listeners) listener.stop(true);
  return ports;
}

/** Makes the bucket, for which the program's client has no call: a request signed by hand. */
async function makeBucket({ url, bucket }: Pick<Swift, "url" | "bucket">): Promise<number> {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const scope = `${time.slice(0, 8)}/${REGION}/s3/aws4_request`;
  const digest = createHash("sha256").update("").digest("hex");
  const names = "host;x-amz-content-sha256;x-amz-date";
  const headers = `host:${new URL(url).host}\nx-amz-content-sha256:${digest}\nx-amz-date:${time}\n`;
  const canonical = ["PUT", `/${bucket}`, "", headers, names, digest].join("\n");
  const text = ["AWS4-HMAC-SHA256", time, scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
  const mac = (key: Uint8Array, part: string) => createHmac("sha256", key).update(part).digest();
  const key = scope.split("/").reduce<Buffer>((from, part) => mac(from, part), Buffer.from(`AWS4${SECRET}`));
  const authorization = `AWS4-HMAC-SHA256 Credential=${ID}/${scope}, SignedHeaders=${names}, Signature=${mac(key, text).toString("hex")}`;
  const answer = await fetch(`${url}/${bucket}`, {
    method: "PUT",
    headers: { "x-amz-content-sha256": digest, "x-amz-date": time, authorization },
  });
  return answer.status;
}
