// Chunk of the pages for signed-out visitors: set-up, sign-in, invitation and reset links, forgotten passwords, proofs of
// e-mail addresses.
import { Page as join } from "../join/page.tsx";
import { Page as recover } from "../recover/page.tsx";
import { Page as reset } from "../reset/page.tsx";
import { Page as setUp } from "../set-up/page.tsx";
import { Page as signIn } from "../sign-in/page.tsx";
import { Page as start } from "../start/page.tsx";

export const PAGES = { start, signIn, setUp, join, reset, recover, confirmEmail: reset } as const;
