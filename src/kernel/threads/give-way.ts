// Gives the event loop a turn between the steps of long work, so that other requests are served.

/** Lets everything else that waits in the event loop run first. */
export function giveWay(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}
