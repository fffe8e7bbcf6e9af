// `captable mcp` in a process of its own, for clients of its tests.
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { PROGRAM, programEnvironment } from "../../kit/program.ts";

/** A file with a key, for its owner alone. */
export function keyFileOf(key: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "captable-mcp-")), "key");
  writeFileSync(file, `${key}\n`);
  chmodSync(file, 0o600);
  return file;
}

/** The transport of a process of `captable mcp`. */
export function programTransport(url: string, key: string, ...more: readonly string[]): StdioClientTransport {
  const [command = "", ...args] = [...PROGRAM, "mcp", "--server", url, "--key-file", keyFileOf(key), ...more];
  const given = Object.entries(programEnvironment()).filter(([, value]) => value !== undefined);
  return new StdioClientTransport({ command, args, env: Object.fromEntries(given) as Record<string, string> });
}
