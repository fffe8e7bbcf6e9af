// Where the pages start.
import { render } from "preact";
import { App } from "./frame/shell.tsx";
import { showTheme } from "./theme.ts";

/** Defined when the pages are built: whether by `bun run dev`. */
declare const DEV: boolean;

showTheme();
const root = document.getElementById("app");
if (root) render(<App />, root);
if (DEV) void import("./dev.ts").then(({ reloadOnChange }) => reloadOnChange());
