// A process for the crash test: issues one share after the other, says each one's hash once it is acknowledged, and
// never stops by itself.

import type { Address } from "../../../../src/kernel/text/wallet-address.ts";
import { openEmbeddedChain } from "../../../../src/tokens/chain/embedded/open.ts";
import { embeddedOperator } from "../../../../src/tokens/chain/keys.ts";
import * as token from "../../../../src/tokens/chain/token/token.ts";
import { signed } from "../support/people.ts";

const [dataDir = "", address = ""] = process.argv.slice(2);
const chain = await openEmbeddedChain(dataDir);
const issuer = embeddedOperator(dataDir);
for (;;) {
  const key = token.operationKey("crash", String(await chain.nonce(issuer.address, "latest")), 0);
  const data = token.encodeOperation({ kind: "issue", entries: [{ key, holder: issuer.address, amount: 1n }] });
  const { raw, hash } = await signed(chain, issuer, address as Address, data);
  await chain.send(raw);
  process.stdout.write(`${hash}\n`);
}
