// Small drawings beside words. None says anything by itself but Menu, Copy and Close, whose buttons have names.

const PATHS = {
  overview: "M3 7.5 8 3l5 4.5V13H9.8V9.5H6.2V13H3z",
  people:
    "M6 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5ZM1.8 13c.2-2.4 1.9-3.8 4.2-3.8s4 1.4 4.2 3.8M10.7 7.4a2 2 0 1 0-.6-3.9M12 9.4c1.3.6 2.1 1.8 2.2 3.6",
  paper: "M4 2.5h5.5L12.5 5.5v8h-8.5zM9.3 2.7v3h3M6 8.5h4.5M6 11h4.5",
  bars: "M3 13V8.5M6.3 13V3M9.7 13V6M13 13V9.5",
  ledger: "M3.5 2.5v11M3.5 4.5h9M3.5 8h9M3.5 11.5h9",
  check: "m3 8.5 3.2 3.2L13 4.8",
  action: "M8 2.5v11M3 5.5h10M3 5.5 1.8 9h2.4zM13 5.5 11.8 9h2.4z",
  line: "m2.5 11.5 3.5-4 2.5 2.2 5-6M10.5 3.7h3v3",
  file: "M4 2.5h5l3 3v8H4zM9 2.7v3h3",
  gear: "M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4ZM8 2v1.8M8 12.2V14M2 8h1.8M12.2 8H14M3.8 3.8l1.3 1.3M10.9 10.9l1.3 1.3M12.2 3.8l-1.3 1.3M5.1 10.9l-1.3 1.3",
  person: "M8 7.8a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8ZM3.3 13.5c.3-2.7 2.2-4.2 4.7-4.2s4.4 1.5 4.7 4.2",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  close: "m4 4 8 8M12 4l-8 8",
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  plus: "M8 3v10M3 8h10",
  updown: "m5 6.2 3-3 3 3M5 9.8l3 3 3-3",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.3l3.4 3.4",
  warn: "M8 2.5 14.3 13.5H1.7zM8 6.5v3.2M8 11.3v.4",
  problem: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 5v3.8M8 10.6v.4",
  info: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.3v3.7M8 5v.4",
  down: "m4 6 4 4 4-4",
  right: "m6 4 4 4-4 4",
  swap: "M3 5.5h9M9.5 3 12 5.5 9.5 8M13 10.5H4M6.5 8 4 10.5 6.5 13",
  building: "M3 13.5v-11h6v11M9 6h4v7.5M1.5 13.5h13M5 5h2M5 7.5h2M5 10h2",
  server: "M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.2M5 11h.2",
  exit: "M6 2.5H3v11h3M10 5l3 3-3 3M13 8H6",
} as const;

/** The name of a drawing. */
export type IconName = keyof typeof PATHS;

/** A drawing of 16 px in the colour of the words beside it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
