// The work of a service's threads, done in the test's own process: each thread would load the whole program, and its
// fonts, once more. Messages are copied and arrive in a later turn, as they do in a thread.
import { Peer, type Sent } from "../../src/kernel/threads/peer.ts";
import type { StartThread, ThreadWork } from "../../src/kernel/threads/thread.ts";
import { walking } from "../../src/safekeeping/verify/walking.ts";
import { following } from "../../src/server/threads/follow/following.ts";
import { importing } from "../../src/server/threads/import/importing.ts";
import { reader } from "../../src/server/threads/read/reading.ts";

/** Starts what does some work here; `end` is called once it is closed, after what is under way. */
function startsHere<Theirs, Own>(make: () => { readonly work: ThreadWork<Theirs, Own>; end(): void }): StartThread {
  return (take) => {
    const { work, end } = make();
    let isOver = false;
    let last: Promise<unknown> = Promise.resolve();
    const peer = Peer.answering<Theirs, Own>((sent) => {
      if (!isOver) take(structuredClone(sent));
    }, work);
    return {
      send(sent: Sent) {
        const copy = structuredClone(sent);
        last = last.then(async () => {
          await Bun.sleep(0);
          if (!isOver) peer.take(copy);
        });
      },
      end() {
        isOver = true;
        void last.then(end);
      },
    };
  };
}

/** Computes long reads here. */
export const readsHere: StartThread = startsHere(reader);

/** Does imports here. */
export const importsHere: StartThread = startsHere(importing);

/** Follows here; with other followers than the usual where they are given. */
export const followsHere = (...given: Parameters<typeof following>): StartThread =>
  startsHere(() => following(...given));

/** Walks here, beside a verification. */
export const walksHere: StartThread = startsHere(() => ({ work: walking, end: () => undefined }));
