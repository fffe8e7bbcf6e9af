// What docs/operate.md tells an administrator to type, typed as it is printed there, as on a machine with the printed
// unit: users of its own, the unit's environment, sudo. The machine is namespaces of the kernel, with its own /etc,
// /var/lib, /root, /tmp and network; systemd is a few lines of shell that do what the unit says. Needs root, for that.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { zipSync } from "fflate";
import { makeProgram } from "../../cli/program.ts";
import { PROGRAM } from "../kit/program.ts";

setDefaultTimeout(300_000);

const ROOT = join(import.meta.dir, "../..");
const DOCS = readFileSync(join(ROOT, "docs/operate.md"), "utf8");
const PACKAGE = join(ROOT, "test/fixtures/ocf/small");
const base = mkdtempSync(join(tmpdir(), "captable-operate-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** The blocks for a shell, each with the heading that it stands under, with the company of the package for the example's. */
const blocks = DOCS.replaceAll('"Acme, Inc."', '"Lindenhof Instruments, Inc."')
  .split(/^## /m)
  .flatMap((section) => {
    const [heading = ""] = section.split("\n");
    return [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => ({ heading, text }));
  });

/** In a machine of its own: everything that the commands change is laid over with memory. */
const MACHINE = `set -e
ip link set lo up
mount --bind "$1" /mnt
if [ -f "$2" ]; then mount --bind "$2" /mnt/program; fi
mount -t tmpfs -o mode=755 none /mnt/over
mkdir /mnt/over/upper /mnt/over/work
mount -t overlay overlay -o lowerdir=/etc,upperdir=/mnt/over/upper,workdir=/mnt/over/work /etc
for folder in /var/lib /root /usr/local/bin; do mount -t tmpfs -o mode=755 none "$folder"; done
mount -t tmpfs -o mode=1777 none /tmp
touch /usr/local/bin/built
mount --bind /mnt/program /usr/local/bin/built
mkdir -p /etc/systemd/system
cd /mnt/here
export PATH=/mnt/shims:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root`;

const SHIMS: Readonly<Record<string, string>> = {
  sudo: `user=root
if [ "$1" = -u ]; then user=$2; shift 2; fi
exec env -i PATH=/mnt/shims:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \\
  setpriv --reuid="$user" --regid="$user" --init-groups "$@"`,
  journalctl: "cat /mnt/log",
  systemctl: `unit=/etc/systemd/system/captable.service
setting() { sed -n "s/^$1=-\\\\?//p" "$unit"; }
start() {
  user=$(setting User)
  for folder in $(setting StateDirectory); do
    install -d -o "$user" -g "$user" -m "$(setting StateDirectoryMode)" "/var/lib/$folder"
  done
  file=$(setting EnvironmentFile)
  cd "$(setting WorkingDirectory)"
  umask "$(setting UMask)"
  setsid env -i PATH="$PATH" $(setting Environment) $(cat "$file" 2> /dev/null) \\
    setpriv --reuid="$user" --regid="$user" --clear-groups $(setting ExecStart) >> /mnt/log 2>&1 < /dev/null &
  echo $! > /mnt/pid
  until curl -sf http://127.0.0.1:8080/readyz > /dev/null; do kill -0 "$(cat /mnt/pid)" || exit 1; sleep 0.1; done
}
stop() {
  [ -e /mnt/pid ] || return 0
  kill "$(cat /mnt/pid)"
  tail --pid="$(cat /mnt/pid)" -f /dev/null
  rm /mnt/pid
}
case "$*" in
  daemon-reload) ;;
  "start captable" | "enable --now captable") start ;;
  "stop captable" | "disable --now captable") stop ;;
  "restart captable") stop; start ;;
  *) echo "systemctl $*: not here" >&2; exit 1 ;;
esac`,
};

function put(name: string, script: string): void {
  writeFileSync(join(base, name), `#!/bin/bash\n${script}\n`);
  chmodSync(join(base, name), 0o755);
}

/** Runs scripts one after the other in one such machine; the first that fails ends it. */
function onMachine(scripts: readonly string[]): { status: number | null; shown: string[]; errors: string } {
  for (const name of readdirSync(base)) rmSync(join(base, name), { recursive: true });
  for (const folder of ["over", "here", "shims", "blocks"]) mkdirSync(join(base, folder), { recursive: true });
  for (const [name, script] of Object.entries(SHIMS)) put(join("shims", name), `set -eu\n${script}`);
  writeFileSync(join(base, "program"), "");
  // A built program is brought along; the sources and what runs them may lie in a folder that is laid over.
  const [built = "", ...sources] = PROGRAM;
  const program = sources.length === 0 ? "/usr/local/bin/built" : PROGRAM.map((word) => `'${word}'`).join(" ");
  put("here/captable", `export BUN_RUNTIME_TRANSPILER_CACHE_PATH=0\nexec ${program} "$@"`);
  const files = readdirSync(PACKAGE).map((name) => [name, readFileSync(join(PACKAGE, name))] as const);
  writeFileSync(join(base, "here/package.ocf.zip"), zipSync(Object.fromEntries(files)));
  scripts.forEach((script, index) => {
    put(join("blocks", String(index)), `set -euo pipefail\n${script}`);
  });
  const run = scripts.map((_, index) => `/mnt/blocks/${index} > /mnt/shown-${index}`).join("\n");
  const machine = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];
  const shell = ["bash", "-c", `${MACHINE}\n${run}`, "-", base, sources.length === 0 ? built : ""];
  const ended = Bun.spawnSync([...machine, "--propagation", "private", ...shell], { stdout: "pipe", stderr: "pipe" });
  const read = (index: number) => {
    const file = join(base, `shown-${index}`);
    return readdirSync(base).includes(`shown-${index}`) ? readFileSync(file, "utf8") : "";
  };
  return { status: ended.exitCode, shown: scripts.map((_, index) => read(index)), errors: ended.stderr.toString() };
}

/** Why there is no such machine here; empty where there is one. */
function whyNot(): string {
  if (process.geteuid?.() !== 0) return "that needs root";
  const missing = ["unshare", "setpriv", "systemd-sysusers", "ip", "curl"].filter((name) => Bun.which(name) === null);
  if (missing.length > 0) return `there is no ${missing.join(", ")}`;
  const { status, errors } = onMachine(["./captable version"]);
  return status === 0 ? "" : errors;
}

const reason = whyNot();
if (reason !== "") process.stdout.write(`docs/operate.md is not typed here: ${reason}\n`);

describe.skipIf(reason !== "")("every command of docs/operate.md works as it is printed", () => {
  /** After each block: whatever lies in the service's folders and is not the service's. */
  const STRANGERS = "find /var/lib/captable* -not -user captable -o -not -group captable 2> /dev/null";
  let ended: ReturnType<typeof onMachine>;
  beforeAll(() => {
    ended = onMachine(
      blocks.map(({ text }) => `${text}\n${text.includes("userdel") ? "" : `${STRANGERS} | sed s/^/STRANGER:/`}`),
    );
  });
  const shownUnder = (heading: string) =>
    blocks.flatMap((block, index) => (block.heading === heading ? [ended.shown[index] ?? ""] : [])).join("\n");

  test("without a failure, and what lies in the service's folders is the service's all the time", () => {
    expect([ended.status, ended.status === 0 ? "" : `${ended.errors}\n${readLog()}`]).toEqual([0, ""]);
    expect(ended.shown.join("\n")).not.toContain("STRANGER:");
  });

  test("and one that failed, or left something of root's, would be seen", () => {
    const control = onMachine([
      blocks[0]?.text ?? "",
      `sudo touch /var/lib/captable/x\n${STRANGERS}`,
      "false",
      "echo on",
    ]);
    expect([control.status === 0, control.shown[3]]).toEqual([false, ""]);
    expect(control.shown[1]).toBe("/var/lib/captable/x\n");
  });

  test("and shows what it says that it shows", () => {
    expect(shownUnder("Install")).toMatch(/^ready$/m);
    expect(shownUnder("Install")).toMatch(/^pg_live_\S+$/m);
    expect(shownUnder("Install")).toMatch(/^Total .*\d/m);
    expect(shownUnder("Restore")).toContain("No difference.");
    expect(shownUnder("Move to another machine")).toContain("No difference.");
    expect(shownUnder("Watch it")).toContain("captable_last_backup_timestamp_seconds");
    expect(shownUnder("Upgrade")).toContain("https://captable.example.com/docs");
  });
});

function readLog(): string {
  return readdirSync(base).includes("log") ? readFileSync(join(base, "log"), "utf8") : "";
}

describe("the commands of docs/operate.md and of the printed files", () => {
  test("are commands of the program with options that they have", async () => {
    const program = await makeProgram();
    const printed = ["captable.service", "captable-template.service", "Dockerfile", "litestream.yml"];
    const heads = printed.map((name) => readFileSync(join(ROOT, "cli/assets", name), "utf8"));
    const said = [DOCS, ...heads].flatMap((text) => [
      ...text.matchAll(/(?<![\w./-])captable (?!captable )([a-z][^`|>\n]*)/g),
    ]);
    const commands = said.map(([, words = ""]) => words.trim().split(/\s+/));
    const found = commands.flatMap((words) => {
      const command = findCommand(program, words);
      return command === null ? [] : [{ words, command }];
    });
    expect(found.length).toBeGreaterThan(30);
    for (const { words, command } of found) {
      const options = words.filter((word) => word.startsWith("--")).map((word) => word.split("=")[0]);
      const known = command.options.map(({ long }) => long);
      expect([words.join(" "), options.filter((option) => !known.includes(option))]).toEqual([words.join(" "), []]);
    }
  });
});

/** The command that words name, or null where they are a sentence's. */
function findCommand(program: Command, words: readonly string[]): Command | null {
  const child = program.commands.find((command) => command.name() === words[0]);
  if (child === undefined) return null;
  return findCommand(child, words.slice(1)) ?? (child.commands.length === 0 ? child : null);
}
