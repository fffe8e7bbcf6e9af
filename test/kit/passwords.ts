// Each password is hashed once in a test's process, and compared with a hash once, or not at all where it is known of which
// password the hash is: argon2id as the program means it takes a tenth of a second and 64 MiB, and tests give hundreds of
// passwords, most of them the same few. What a hash costs, and that it fits its password alone, shows where the program runs
// in a process, and in release runs.
import { RELEASE } from "./release.ts";

let isOnce = false;

/** Has this process keep what it hashed and compared; not in a release run. `given` has passwords by their hashes. */
export function hashOnce(given: Readonly<Record<string, string>>): void {
  if (RELEASE || isOnce) return;
  isOnce = true;
  const { hash, verify } = Bun.password;
  const hashes = new Map<string, Promise<string>>();
  const known = new Map(Object.entries(given));
  const verdicts = new Map<string, Promise<boolean>>();
  Object.assign(Bun.password, {
    hash: ((password, asked) => {
      const key = JSON.stringify([String(password), asked]);
      const made = hashes.get(key) ?? hash(password, asked);
      hashes.set(key, made);
      void made.then(
        (text) => known.set(text, String(password)),
        () => undefined,
      );
      return made;
    }) satisfies typeof hash,
    verify: ((password, stored, algorithm) => {
      const key = JSON.stringify([String(password), String(stored)]);
      const own = known.get(String(stored));
      if (own !== undefined) return Promise.resolve(own === String(password));
      const verdict = verdicts.get(key) ?? verify(password, stored, algorithm);
      verdicts.set(key, verdict);
      return verdict;
    }) satisfies typeof verify,
  });
}
