// One request on its way: signs in again, confirms, waits and retries where that helps, the same for every page. What a
// page cannot do anything about is done here.
import { pause } from "../clock.ts";
import { Declined, isAbort, NoAnswer, readProblem } from "./problem.ts";
import { Store } from "./store.ts";
import { ask } from "./waiting-asks.ts";

/** What is wrong with the way to the server at the moment; the bar on top tells it. */
export const trouble = new Store<Trouble | null>(null);
type Trouble = "OFFLINE" | "UNAVAILABLE";
/** Reads that wait to be sent again: as long as there is one, that others are answered does not end the trouble. */
const waiting = new Map<Course, Trouble>();

/** Seconds after which a read is sent again; a write never is by itself. */
const PAUSES_S = [2, 5, 10, 30] as const;
const WAITS_MAX = 2;
const WAIT_S = 5;
const SECOND_MS = 1000;

/** When the server answered last, by its own clock, to the second; null before it did. */
export const answered: { at: string | null } = { at: null };

/** What a request has been through. */
interface Course {
  pauses: number;
  waits: number;
  hasSignedIn: boolean;
  hasConfirmed: boolean;
}

/** Whether a session lives; asked before the user is asked to sign in. Set by session.ts. */
export const sessionCheck = { isSignedIn: (): Promise<boolean> => Promise.resolve(false) };

/** What carries a request to the server once, and its answer back. */
export type Carry = (request: Request) => Promise<Response>;

/** Sends a request; the last answer, which may be a refusal. Rejects with `NoAnswer`, `Declined` or an abort. */
export function send(request: Request): Promise<Response> {
  return sendBy((each) => fetch(each.clone()), request);
}

/** The same by what else carries it, as often as it is sent. */
export async function sendBy(carry: Carry, request: Request): Promise<Response> {
  const course: Course = { pauses: 0, waits: 0, hasSignedIn: false, hasConfirmed: false };
  try {
    for (;;) {
      const response = await attempt(carry, request, course);
      if (response !== null && !(await goesAgain(request, response, course))) return response;
    }
  } finally {
    // Given up by its page: what it waited for is no trouble any more.
    if (waiting.delete(course) && request.signal.aborted) trouble.set(othersTrouble());
  }
}

function othersTrouble(): Trouble | null {
  return waiting.values().next().value ?? null;
}

/** One attempt; null where no answer came to a read that is sent again. */
async function attempt(carry: Carry, request: Request, course: Course): Promise<Response | null> {
  try {
    const response = await carry(request);
    answered.at = response.headers.get("date") ?? answered.at;
    if (response.status !== 503) {
      waiting.delete(course);
      trouble.set(othersTrouble());
    }
    return response;
  } catch (thrown) {
    if (isAbort(thrown) || request.signal.aborted) throw thrown;
    if (await pauses(request, course, "OFFLINE")) return null;
    throw new NoAnswer("no answer", { cause: thrown });
  }
}

/** Tells of the trouble, and waits before a read is sent again; false where it is not. */
async function pauses(request: Request, course: Course, why: Trouble): Promise<boolean> {
  trouble.set(why);
  const seconds = PAUSES_S[course.pauses];
  if (request.method !== "GET" || seconds === undefined) return false;
  waiting.set(course, why);
  course.pauses += 1;
  await pause(seconds * SECOND_MS, request.signal);
  return true;
}

/** Whether a refused request is to be sent again, after what had to be done for it. */
async function goesAgain(request: Request, response: Response, course: Course): Promise<boolean> {
  const { status } = response;
  if (status === 429 && course.waits < WAITS_MAX && !request.url.includes("/auth/")) {
    course.waits += 1;
    const asked = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
    await pause((Number.isNaN(asked) ? WAIT_S : asked) * SECOND_MS, request.signal);
    return true;
  }
  if (status === 503) return pauses(request, course, "UNAVAILABLE");
  if (status !== 401 && status !== 403) return false;
  // The page asked by itself: no user is asked to sign in for that.
  if (request.headers.get("captable-background") === "1") return false;
  const { slug } = await readProblem(response);
  if (slug === "unauthorized" && !course.hasSignedIn) {
    course.hasSignedIn = true;
    if (await sessionCheck.isSignedIn()) return true;
    if (await ask("SIGN_IN")) return true;
    throw new Declined("not signed in");
  }
  if (slug === "confirmation-required" && !course.hasConfirmed) {
    course.hasConfirmed = true;
    if (await ask("CONFIRM")) return true;
    throw new Declined("not confirmed");
  }
  return false;
}
