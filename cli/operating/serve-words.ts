// Messages of `captable serve` when it is ready: its address, and the way in for a user without a working key.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemRuntime, toTimestamp } from "../../src/kernel/runtime.ts";
import { hasAccounts } from "../../src/people/stores/account-store.ts";
import { hashKey } from "../../src/resources/api-keys/key.ts";
import { countActiveKeys, isUnusedKey } from "../../src/resources/api-keys/store.ts";
import { listOrganizations } from "../../src/resources/organization/store.ts";
import type { App } from "../../src/server/app.ts";
import { ADMIN_KEY_FILE } from "../../src/storage/data-dir/names.ts";
import { isChainOff } from "../../src/storage/outbox/tokens.ts";

/** The lines, for an operator. */
export function wordsOfServe(app: App, dataDir: string): string[] {
  const { url, publicUrl, adminKeyFile } = app;
  return [
    ...(adminKeyFile === null
      ? wordsOfUnusedKey(app, dataDir)
      : [`made an organization and its first ADMIN key: the key is in ${adminKeyFile}`]),
    ...wordsOfNoKey(app, dataDir),
    ...(isChainOff(app.reader) ? ["the chain is off (CAPTABLE_CHAIN): no share class gets a token"] : []),
    `serving ${url}, data in ${dataDir}`,
    ...wordsOfNoAccount(app, dataDir),
    `the API is described at ${publicUrl}/docs`,
  ];
}

/** Where the first key lies, if it works and was never used. */
function wordsOfUnusedKey({ reader }: App, dataDir: string): string[] {
  const file = join(dataDir, ADMIN_KEY_FILE);
  if (!existsSync(file)) return [];
  const isUnused = isUnusedKey(reader, { keyHash: hashKey(readFileSync(file, "utf8").trim()), at: now() });
  return isUnused ? [`the first ADMIN key was never used: it is in ${file}`] : [];
}

/** Where a person begins, as long as there is no account and the first key can make one. */
function wordsOfNoAccount({ reader, publicUrl }: App, dataDir: string): string[] {
  if (hasAccounts(reader) || !existsSync(join(dataDir, ADMIN_KEY_FILE))) return [];
  return [`open ${publicUrl} in a browser: the first ADMIN key makes the first account`];
}

/** The command that makes an ADMIN key, as long as none works. */
function wordsOfNoKey({ reader }: App, dataDir: string): string[] {
  if (countActiveKeys(reader, now()).ADMIN > 0) return [];
  const [first, ...others] = listOrganizations(reader);
  const org = first === undefined || others.length === 0 ? "" : ` --org ${first.id}`;
  const command = `captable keys create --name Admin --role ADMIN${org} --data-dir ${quoted(resolve(dataDir))}`;
  return [`no ADMIN key works; this makes one: ${command}`];
}

function now(): string {
  return toTimestamp(systemRuntime.nowMs());
}

/** As a shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
