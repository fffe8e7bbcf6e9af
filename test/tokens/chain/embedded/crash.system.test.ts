// The embedded chain is killed in the middle of its work, again and again, and must come back whole.
import { afterAll, expect, test } from "bun:test";
import Database from "better-sqlite3";
import { embeddedChainFile } from "../../../../src/storage/data-dir/chain-files.ts";
import { openEmbeddedChain } from "../../../../src/tokens/chain/embedded/open.ts";
import { embeddedOperator } from "../../../../src/tokens/chain/keys.ts";
import type { Hex } from "../../../../src/tokens/chain/port.ts";
import * as token from "../../../../src/tokens/chain/token/token.ts";
import { RELEASE } from "../../../kit/release.ts";
import { execute, removeTemporaryFolders, temporaryFolder } from "../support/people.ts";

afterAll(removeTemporaryFolders);

const KILLS = RELEASE ? 10 : 4;
const HASH = /^0x[0-9a-f]{64}$/;

test("kill -9 never loses an acknowledged transaction and never leaves half a block", async () => {
  const dataDir = temporaryFolder();
  const issuer = embeddedOperator(dataDir);
  const shareClass = token.classDigest("crash", "class");
  let chain = await openEmbeddedChain(dataDir);
  const identity = await chain.identity();
  const { contractAddress: factory } = await execute(chain, issuer, null, token.FACTORY_CREATION);
  if (!factory) throw new Error("no factory");
  await execute(chain, issuer, factory, token.encodeDeploy(shareClass, "Crash", "C", token.NO_LIMIT));
  const address = await token.tokenAddress(chain, factory, shareClass, "latest");
  await chain.close();

  const acknowledged: Hex[] = [];
  for (let kill = 0; kill < KILLS; kill++)
    acknowledged.push(...(await mintUntilKilled(dataDir, address, 1 + kill * (20 / KILLS))));

  chain = await openEmbeddedChain(dataDir);
  const issued = BigInt(await chain.nonce(issuer.address, "latest")) - 2n;
  expect(acknowledged.length).toBeGreaterThan(KILLS * 5);
  expect(issued).toBeGreaterThanOrEqual(BigInt(acknowledged.length));
  expect(issued).toBeLessThanOrEqual(BigInt(acknowledged.length + KILLS));
  expect(await token.tokenAt(chain, address, "latest").totalSupply()).toBe(issued);
  expect(await chain.head()).toBe(issued + 2n);
  expect(await chain.identity()).toEqual(identity);
  for (const hash of acknowledged) expect((await chain.receipt(hash))?.status).toBe("success");
  await chain.close();

  const db = new Database(embeddedChainFile(dataDir), { readonly: true });
  expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
  expect(db.pragma("foreign_key_check")).toEqual([]);
  const broken = "SELECT count(*) FROM block b JOIN block p ON p.number = b.number - 1 WHERE p.hash <> b.parent_hash";
  expect(db.prepare(broken).pluck().get()).toBe(0);
  db.close();
}, 60_000);

/** Starts the minter and kills it some milliseconds after it has acknowledged `count` transactions. */
async function mintUntilKilled(dataDir: string, address: Hex, count: number): Promise<Hex[]> {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/minter.ts`, dataDir, address], {
    stdout: "pipe",
    stderr: "inherit",
  });
  let text = "";
  for await (const chunk of child.stdout) {
    text += new TextDecoder().decode(chunk);
    if (text.split("\n").length > count && !child.killed) {
      await Bun.sleep(count % 7);
      child.kill("SIGKILL");
    }
  }
  await child.exited;
  return text.split("\n").filter((line): line is Hex => HASH.test(line));
}
