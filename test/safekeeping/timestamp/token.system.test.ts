// Time stamps by OpenSSL's `ts`, and what OpenSSL says of the same tokens: RSA and ECDSA, chains, ended certificates,
// tokens of something else, and every byte of a token changed.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findChainFault, readPem } from "../../../src/safekeeping/timestamp/certificates.ts";
import { newNonce, readStampAnswer, writeStampRequest } from "../../../src/safekeeping/timestamp/request.ts";
import { type Expected, readTimeStamp, TokenError, verifyToken } from "../../../src/safekeeping/timestamp/token.ts";
import { hasOpenssl, OpensslAuthority, RIGHT, RIGHT_BETWEEN } from "../../kit/openssl-authority.ts";
import { RELEASE } from "../../kit/release.ts";

setDefaultTimeout(300_000);

const imprint = createHash("sha256").update("captable/0190\nledger 1\n").digest();
const made: OpensslAuthority[] = [];
afterAll(() => {
  for (const each of made) each.remove();
});

function authority(making: ConstructorParameters<typeof OpensslAuthority>[0] = {}) {
  const one = new OpensslAuthority(making);
  made.push(one);
  const roots = readPem(one.roots);
  const ask = (of: Uint8Array = imprint) => {
    const { bytes, nonce } = writeStampRequest(of, newNonce());
    return { token: readStampAnswer(one.answer(bytes)), nonce };
  };
  return { one, roots, ask };
}

/** Why a token does not hold; null where it does. */
function faultOf(token: Uint8Array, expected: Expected): string | null {
  try {
    verifyToken(token, expected);
    return null;
  } catch (error) {
    if (error instanceof TokenError) return error.message;
    throw error;
  }
}

/** Each bit of a byte, all of them, and what makes another algorithm's number of one. */
const MASKS = [0x01, 0x80, 0xff, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x0a, 0x0c] as const;

const KINDS = [
  { key: "rsa", digest: "sha256" },
  { key: "rsa", digest: "sha512", essDigest: "sha1" },
  { key: "rsa-pss", digest: "sha256" },
  { key: "p256", digest: "sha256" },
  { key: "p384", digest: "sha384", between: RIGHT_BETWEEN },
  { key: "rsa", digest: "sha256", between: RIGHT_BETWEEN, sendsRoot: true },
] as const;

describe.skipIf(!hasOpenssl)("a time stamp by OpenSSL", () => {
  test.each(KINDS.map((kind) => [Object.values(kind).join(" ").replaceAll("\n", " "), kind] as const))(
    "with %s holds, for OpenSSL too, and not with any byte changed",
    (_name, making) => {
      const { one, roots, ask } = authority(making);
      const { token, nonce } = ask();
      const expected = { imprint, nonce, roots };
      const stamp = verifyToken(token, expected);
      expect(stamp.policy).toBe("1.2.3.4.1");
      expect(Math.abs(Date.parse(stamp.time) - Date.now())).toBeLessThan(60_000);
      expect(readTimeStamp(token)).toEqual(stamp);
      expect(one.verifies(token, imprint)).toBe(true);

      const rootAt = "sendsRoot" in making ? findRoot(token, roots[0]?.bytes ?? token) : null;
      const held: number[] = [];
      let refused = 0;
      for (let place = 0; place < token.length; place++) {
        for (const mask of RELEASE ? MASKS : [MASKS[place % 3] ?? 0xff]) {
          const changed = Uint8Array.from(token);
          changed[place] = (changed[place] ?? 0) ^ mask;
          if (faultOf(changed, expected) === null) held.push(place);
          else refused += 1;
        }
      }
      // A copy of the root that came along proves nothing: the root that counts is the one that was given.
      const counted = held.filter((place) => rootAt === null || place < rootAt.from || place >= rootAt.to);
      // Of all values of all bytes, one other spells the same: sha256WithRSAEncryption for rsaEncryption with SHA-256.
      expect(counted.length).toBeLessThanOrEqual(RELEASE ? 1 : 0);
      expect(refused).toBeGreaterThan(token.length * (RELEASE ? MASKS.length : 1) * 0.5);
    },
  );

  test("of something else, of another request or under another root does not hold", () => {
    const { roots, ask } = authority();
    const other = authority();
    const { token, nonce } = ask();
    const something = createHash("sha256").update("something else").digest();
    expect(faultOf(token, { imprint: something, nonce, roots })).toBe("it is of something else");
    expect(faultOf(token, { imprint, nonce: newNonce(), roots })).toBe("it is the answer to another request");
    expect(faultOf(token, { imprint, nonce, roots: other.roots })).toContain("lead to none of the roots");
    expect(faultOf(other.ask().token, { imprint, roots })).toContain("lead to none of the roots");
    // An earlier answer sent again, for the same note.
    expect(faultOf(ask().token, { imprint, nonce, roots })).toBe("it is the answer to another request");
    expect(faultOf(token, { imprint, nonce, roots: [...other.roots, ...roots] })).toBeNull();
  });

  test("by a certificate that ended since holds, and by one that had ended does not", () => {
    const { one, roots, ask } = authority({ days: 1 });
    const { token } = ask();
    expect(faultOf(token, { imprint, roots })).toBeNull();
    // OpenSSL looks at today, and refuses later what was right then: what counts here is the token's own time.
    const later = Math.floor(Date.now() / 1000) + 3 * 86_400;
    expect([one.verifies(token, imprint), one.verifies(token, imprint, later)]).toEqual([true, false]);
    const ended = roots.map((root) => ({ ...root, validTo: Date.now() - 86_400_000 }));
    expect(faultOf(token, { imprint, roots: ended })).toContain("was not valid at its time");
    // The authority's own certificate, by the days in it.
    const [signer] = readPem(readFileSync(join(one.folder, "tsa.pem"), "utf8"));
    if (!signer) throw new Error("no certificate");
    const at = (timeMs: number) => findChainFault(signer, [], { roots, timeMs });
    expect([at(signer.validFrom), at(signer.validTo)]).toEqual([null, null]);
    expect([at(signer.validFrom - 1), at(signer.validTo + 1)]).toEqual(
      Array(2).fill(expect.stringContaining("not valid")),
    );
  });

  test.each([
    ["for nothing", "basicConstraints=CA:false", "not one for time stamps alone"],
    ["for more than time stamps", `${RIGHT},serverAuth`, "not one for time stamps alone"],
    [
      "for time stamps, not critical",
      RIGHT.replace("critical,timeStamping", "timeStamping"),
      "not one for time stamps",
    ],
    ["for no signatures", RIGHT.replace("digitalSignature", "keyEncipherment"), "not one for signatures"],
    ["with an unknown critical extension", `${RIGHT}\n1.2.3.4=critical,ASN1:NULL`, "not understood, 1.2.3.4"],
  ])("by a certificate %s does not hold", (_name, extensions, fault) => {
    // OpenSSL refuses to sign with some of these, and then there is nothing to refuse here.
    let asked: ReturnType<ReturnType<typeof authority>["ask"]>;
    const { roots, ask } = authority({ extensions });
    try {
      asked = ask();
    } catch (error) {
      expect(String(error)).toMatch(/invalid signer certificate purpose|refused/);
      return;
    }
    expect(faultOf(asked.token, { imprint, roots })).toContain(fault);
  });

  test.each([
    ["is no authority", "basicConstraints=CA:false", "one that may not issue it"],
    ["signs no certificates", RIGHT_BETWEEN.replace("keyCertSign", "cRLSign"), "one that may not issue it"],
    ["is for servers alone", `${RIGHT_BETWEEN}\nextendedKeyUsage=serverAuth`, "not for time stamps"],
  ])("below a certificate that %s does not hold", (_name, between, fault) => {
    const { roots, ask } = authority({ between });
    expect(faultOf(ask().token, { imprint, roots })).toContain(fault);
  });

  test("without the certificate between does not hold", () => {
    const { roots, ask } = authority({ between: RIGHT_BETWEEN });
    const alone = authority();
    const { token } = ask();
    expect(faultOf(token, { imprint, roots })).toBeNull();
    expect(faultOf(token, { imprint, roots: alone.roots })).toContain("lead to none of the roots");
  });
});

function findRoot(token: Uint8Array, root: Uint8Array) {
  const from = Buffer.from(token).indexOf(root);
  return { from, to: from + root.length };
}
