// The turns of the event loop, made repeatable. The machine now and then takes a turn more for a promise of its own, and
// then two writes that should share a commit would not: so whatever the program puts off to the next turn comes some
// turns later, in its order, when everything that was to come before has come. And no time passes while it works: the
// writer ends a commit that takes long, and it is not to take long at random.

const realImmediate = globalThis.setImmediate;
const realNow = performance.now;
/** Longer than it takes all clients to begin. */
const PUT_OFF_TURNS = 48;
/** Between two beginnings. */
const APART_TURNS = 5;

/** Puts the program's next turn off and lets its time stand still; returns what ends that. */
export function slowDown(): () => void {
  const putOff = (work: () => void): void => {
    let left = PUT_OFF_TURNS;
    const wait = () => {
      if (left-- > 0) realImmediate(wait);
      else work();
    };
    wait();
  };
  globalThis.setImmediate = Object.assign(putOff as typeof setImmediate, realImmediate);
  performance.now = () => 0;
  return () => {
    performance.now = realNow;
    globalThis.setImmediate = realImmediate;
  };
}

/** The next real turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => realImmediate(resolve));
}

/** Enough turns that what has begun is under way before the next begins. */
export async function apart(): Promise<void> {
  for (let turn = 0; turn < APART_TURNS; turn++) await nextTurn();
}
