// Long work on a thread that others wait for: between its steps they get their turn.

/** Lets everything else that waits in the event loop run first. */
export function giveWay(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}
