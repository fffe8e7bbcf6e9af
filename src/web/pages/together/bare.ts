// Pages of whoever is not signed in yet: setting up, signing in, links.
import { Page as join } from "../join.tsx";
import { Page as reset } from "../reset.tsx";
import { Page as setUp } from "../set-up.tsx";
import { Page as signIn } from "../sign-in.tsx";
import { Page as start } from "../start.tsx";

export const PAGES = { start, signIn, setUp, join, reset } as const;
