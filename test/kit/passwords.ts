// Each password is hashed once in a test's process, and compared with a hash once: argon2id as the program means it takes a
// tenth of a second and 64 MiB, and tests give hundreds of passwords, most of them the same few. What a hash costs shows
// where the program runs in a process, and in test/people/sign-in/hasher.test.ts.
import { RELEASE } from "./release.ts";

let isOnce = false;

/** Has this process keep what it hashed and compared; not in a release run. */
export function hashOnce(): void {
  if (RELEASE || isOnce) return;
  isOnce = true;
  const { hash, verify } = Bun.password;
  const hashes = new Map<string, Promise<string>>();
  const verdicts = new Map<string, Promise<boolean>>();
  Object.assign(Bun.password, {
    hash: ((password, asked) => {
      const key = JSON.stringify([String(password), asked]);
      const made = hashes.get(key) ?? hash(password, asked);
      hashes.set(key, made);
      return made;
    }) satisfies typeof hash,
    verify: ((password, stored, algorithm) => {
      const key = JSON.stringify([String(password), String(stored)]);
      const verdict = verdicts.get(key) ?? verify(password, stored, algorithm);
      verdicts.set(key, verdict);
      return verdict;
    }) satisfies typeof verify,
  });
}
