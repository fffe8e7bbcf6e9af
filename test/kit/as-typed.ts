// Commands of a document, typed as they are printed there: in a bare folder, with the program on the PATH.
import { expect } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROGRAM } from "./program.ts";

const PRINTED = "127.0.0.1:8080";
/** Where the printed systemd unit keeps the data; here it is the folder that `captable serve` made. */
const PRINTED_DATA = "/var/lib/captable";
/** There, commands are typed as the service's user; here there is one user. */
const SUDO = `#!/bin/sh\n[ "$1" = -u ] && [ "$2" = captable ] || exit 64\nshift 2\nexec "$@"\n`;

/** A fenced block of a document: its language, its text, and the line that it begins in. */
export interface Block {
  readonly language: string;
  readonly text: string;
  readonly line: number;
}

/** The fenced blocks of a document, in order. */
export function blocksOf(document: string): readonly Block[] {
  return [...document.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(({ 1: language = "", 2: text = "", index }) => ({
    language,
    text: text.trim(),
    line: document.slice(0, index).split("\n").length,
  }));
}

/** Whether a line is what a document prints, where each `…` stands for anything within it. */
export function isAsPrinted(shown: string, printed: string): boolean {
  const parts = printed.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*?")}$`).test(shown);
}

/** A folder in which to type, and the server that its commands speak to. */
export interface Desk {
  /** The folder in which commands are typed. */
  readonly cwd: string;
  /** Types lines into a shell of its own, demands that all succeed, and returns what they printed. */
  type(text: string): Promise<string>;
  /** `captable serve` with these variables, until it answers. */
  startServer(variables?: Readonly<Record<string, string>>): Promise<void>;
  stopServer(): Promise<void>;
  /** Ends the server, whatever it does, and removes the folder. */
  clear(): void;
}

/**
 * Makes a bare folder with the program on the PATH. The server takes a free port, and what is typed calls that one. All of
 * it has these settings.
 */
export function newDesk(name: string, settings: Readonly<Record<string, string>> = {}): Desk {
  const folder = mkdtempSync(join(tmpdir(), `captable-${name}-`));
  const cwd = join(folder, "work");
  mkdirSync(cwd);
  const env = {
    ...bareEnvironment(),
    ...settings,
    PATH: `${withProgram(folder)}:${process.env.PATH}`,
    CAPTABLE_PORT: "0",
  };
  let server: Bun.Subprocess | null = null;
  let address = PRINTED;

  async function type(text: string): Promise<string> {
    const typed = text.replaceAll(PRINTED, address).replaceAll(PRINTED_DATA, join(cwd, "data"));
    const command = ["bash", "-euo", "pipefail", "-c", typed];
    const child = Bun.spawn(command, { cwd, env, stdout: "pipe", stderr: "pipe" });
    const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    expect([text, await child.exited, stderr, stdout]).toEqual([text, 0, stderr, stdout]);
    return stdout;
  }

  async function startServer(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    const started = Bun.spawn(["captable", "serve"], {
      cwd,
      env: { ...env, ...variables },
      stdout: "ignore",
      stderr: "pipe",
    });
    server = started;
    let said = "";
    for await (const text of started.stderr.pipeThrough(new TextDecoderStream())) {
      said += text;
      if (said.includes("/docs")) break;
    }
    const served = /serving http:\/\/([\d.:]+),/.exec(said)?.[1];
    if (served === undefined) throw new Error(`captable serve ended: ${said}`);
    address = served;
  }

  async function stopServer(): Promise<void> {
    server?.kill("SIGTERM");
    expect(await server?.exited).toBe(0);
    server = null;
  }

  function clear(): void {
    server?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }

  return { cwd, type, startServer, stopServer, clear };
}

/** A folder that holds `captable`, and a stand-in for `sudo`. */
function withProgram(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const captable = `#!/bin/sh\nexec ${PROGRAM.map((word) => `'${word}'`).join(" ")} "$@"\n`;
  for (const [name, text] of Object.entries({ captable, sudo: SUDO })) {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

/** No setting of the user that runs the tests affects what the program does, or in how wide its tables are. */
function bareEnvironment(): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !/^(CAPTABLE_|COLUMNS$)/.test(name));
  return Object.fromEntries(own);
}
