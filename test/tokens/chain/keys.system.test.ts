import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keccak256, parseTransaction, recoverTransactionAddress } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { UnsafeFileError } from "../../../src/kernel/files/ownership.ts";
import { KeyFileError } from "../../../src/kernel/files/private-file.ts";
import { embeddedOperator, loadOperator } from "../../../src/tokens/chain/keys.ts";
import { custodialAddress, openWalletSeed } from "../../../src/tokens/chain/wallets.ts";
import { removeTemporaryFolders, temporaryFolder, testKey } from "./support/people.ts";

afterAll(removeTemporaryFolders);

const RAW_KEY = "7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d";
const RAW_ADDRESS = "0x008AeEda4D805471dF9b2A5B0f38A0C3bCBA786b";

// The test vectors of the Web3 Secret Storage definition: the key RAW_KEY, and its password.
const PASSWORD = "testpassword";
const PBKDF2 = {
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "6087dab2f9fdbbfaddc31a909735c1e6" },
    ciphertext: "5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46",
    kdf: "pbkdf2",
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: "hmac-sha256",
      salt: "ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd",
    },
    mac: "517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2",
  },
  id: "3198bc9c-6672-5ab3-d995-4942343ae5b6",
  version: 3,
};
const SCRYPT = {
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "83dbcc02d8ccb40e466191a123791e0e" },
    ciphertext: "d172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c",
    kdf: "scrypt",
    kdfparams: {
      dklen: 32,
      n: 262144,
      r: 1,
      p: 8,
      salt: "ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19",
    },
    mac: "2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097",
  },
  id: "3198bc9c-6672-5ab3-d995-4942343ae5b6",
  version: 3,
};

function file(text: string, mode = 0o600): string {
  const path = join(temporaryFolder(), "file");
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

/** The reason for the refusal, which must not show any of `secrets`. */
function refusal(action: () => unknown, ...secrets: string[]): string {
  try {
    action();
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    for (const secret of secrets) expect(Bun.inspect(error)).not.toContain(secret);
    return error.message;
  }
  throw new Error("it was not refused");
}

describe("the operator's key", () => {
  test("is read raw, with and without 0x, in any case, with white space around it", () => {
    for (const text of [RAW_KEY, `0x${RAW_KEY}`, `\n 0x${RAW_KEY.toUpperCase()} \n`]) {
      expect(loadOperator(file(text), null, 1).address).toBe(RAW_ADDRESS);
    }
  });

  test("is read from keystores of both kinds, as wallets write them", () => {
    for (const keystore of [PBKDF2, SCRYPT]) {
      const operator = loadOperator(file(JSON.stringify(keystore)), file(`${PASSWORD}\n`), 1);
      expect(operator.address).toBe(RAW_ADDRESS);
    }
  }, 60_000);

  test("is refused from a file that others can read or change, and so is its password", () => {
    for (const mode of [0o640, 0o604, 0o644, 0o610]) {
      const reason = refusal(() => loadOperator(file(RAW_KEY, mode), null, 1), RAW_KEY);
      expect(reason).toContain(`can be read by others (mode ${mode.toString(8)})`);
    }
    for (const mode of [0o620, 0o602, 0o660, 0o666]) {
      expect(() => loadOperator(file(RAW_KEY, mode), null, 1)).toThrow(UnsafeFileError);
    }
    const keystore = file(JSON.stringify(PBKDF2));
    expect(refusal(() => loadOperator(keystore, file(PASSWORD, 0o644), 1), PASSWORD)).toContain("read by others");
    expect(loadOperator(file(RAW_KEY, 0o400), null, 1).address).toBe(RAW_ADDRESS);
  });

  test("is refused with a reason that shows nothing of it", () => {
    const load = (text: string, password: string | null = PASSWORD) =>
      refusal(() => loadOperator(file(text), password === null ? null : file(password), 1), RAW_KEY, PASSWORD);
    expect(load("")).toContain("neither a private key");
    expect(load(RAW_KEY.slice(1))).toContain("neither a private key");
    expect(load(`${RAW_KEY}00`)).toContain("neither a private key");
    expect(load("0".repeat(64))).toContain("neither a private key");
    expect(load("f".repeat(64))).toContain("neither a private key");
    expect(load("{")).toContain("not a keystore of version 3");
    expect(load(JSON.stringify({ ...PBKDF2, version: 1 }))).toContain("not a keystore of version 3");
    expect(load(JSON.stringify({ version: 3, crypto: {} }))).toContain("not a keystore of version 3");
    expect(load(JSON.stringify(PBKDF2), null)).toContain("no password file is set");
    expect(load(JSON.stringify(PBKDF2), "wrong")).toContain("the password is wrong");
    const change = (part: object) => JSON.stringify({ ...PBKDF2, crypto: { ...PBKDF2.crypto, ...part } });
    expect(load(change({ cipher: "aes-256-cbc" }))).toContain("aes-128-ctr");
    expect(load(change({ kdf: "argon2" }))).toContain("key derivation");
    expect(load(change({ ciphertext: "zz" }))).toContain("damaged");
    expect(refusal(() => loadOperator("/nonexistent/key", null, 1))).toContain("cannot be read (ENOENT)");
    expect(refusal(() => loadOperator(file("x".repeat(70_000)), null, 1))).toContain("too large");
  });

  test("is refused when test nodes publish it, except on their own chains", () => {
    for (const index of [0, 9, 19]) {
      const key = testKey(index);
      expect(refusal(() => loadOperator(file(key), null, 1), key.slice(2))).toContain("test nodes publish");
      expect(loadOperator(file(key), null, 31337).address).toStartWith("0x");
    }
  });

  test("signs for the chain, nonce and fees that are asked, and always the same bytes", async () => {
    const operator = loadOperator(file(RAW_KEY), null, 1);
    const fees = { type: "eip1559", maxFeePerGas: 20n, maxPriorityFeePerGas: 2n } as const;
    const transaction = { chainId: 5, nonce: 7, to: null, data: "0x6000", gas: 9n, fees } as const;
    const { raw, hash } = await operator.sign(transaction);
    expect(await operator.sign(transaction)).toEqual({ raw, hash });
    expect(hash).toBe(keccak256(raw));
    expect(parseTransaction(raw)).toMatchObject({ chainId: 5, nonce: 7, data: "0x6000", gas: 9n, maxFeePerGas: 20n });
    const serializedTransaction = raw as `0x02${string}`;
    expect(await recoverTransactionAddress({ serializedTransaction })).toBe(RAW_ADDRESS);
  });
});

describe("the embedded chain's operator", () => {
  test("gets a key of its own at the first start, which no other user can read, and keeps it", () => {
    const dataDir = temporaryFolder();
    const { address } = embeddedOperator(dataDir);
    const path = join(dataDir, "chain-operator.key");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(embeddedOperator(dataDir).address).toBe(address);
    expect(loadOperator(path, null, 1).address).toBe(address);
    expect(embeddedOperator(temporaryFolder()).address).not.toBe(address);
    expect(readdirSync(dataDir)).toEqual(["chain-operator.key"]);
  });

  test("never replaces a key that is there, however damaged", () => {
    const dataDir = temporaryFolder();
    const path = join(dataDir, "chain-operator.key");
    writeFileSync(path, "damaged", { mode: 0o600 });
    expect(refusal(() => embeddedOperator(dataDir))).toContain("neither a private key");
    expect(readFileSync(path, "utf8")).toBe("damaged");
    expect(refusal(() => embeddedOperator(join(dataDir, "missing")))).toContain("cannot be created (ENOENT)");
    const folder = temporaryFolder();
    mkdirSync(join(folder, "chain-operator.key"));
    expect(refusal(() => embeddedOperator(folder))).toContain("chain-operator.key");
  });
});

describe("holders' wallets", () => {
  const MNEMONIC = "test test test test test test test test test test test junk";

  test("come from a seed of 24 words that is made once and that no other user can read", () => {
    const dataDir = temporaryFolder();
    const first = openWalletSeed(dataDir);
    const path = join(dataDir, "wallet-seed");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8").trim().split(" ")).toHaveLength(24);
    expect(first).toEqual({ xpub: expect.stringMatching(/^xpub/), created: true });
    expect(openWalletSeed(dataDir)).toEqual({ xpub: first.xpub, created: false });
  });

  test("have the addresses that any wallet derives from the same words, from the public key alone", () => {
    const dataDir = temporaryFolder();
    writeFileSync(join(dataDir, "wallet-seed"), `${MNEMONIC}\n`, { mode: 0o600 });
    const { xpub } = openWalletSeed(dataDir);
    for (const index of [0, 1, 2, 77, 2 ** 31 - 1]) {
      const { address } = mnemonicToAccount(MNEMONIC, { path: `m/44'/60'/1'/0/${index}` });
      expect(custodialAddress(xpub, index)).toBe(address);
    }
    for (const index of [-1, 0.5, 2 ** 31, Number.NaN]) expect(() => custodialAddress(xpub, index)).toThrow(/2\^31/);
  });

  test("are refused from words that are no seed, without showing them, and from a file others can read", () => {
    const dataDir = temporaryFolder();
    const path = join(dataDir, "wallet-seed");
    const words = MNEMONIC.replace("junk", "abandon");
    writeFileSync(path, words, { mode: 0o600 });
    expect(refusal(() => openWalletSeed(dataDir), words)).toContain("BIP-39");
    chmodSync(path, 0o644);
    expect(refusal(() => openWalletSeed(dataDir))).toContain("read by others");
  });
});
