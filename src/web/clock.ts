// The one place where the pages look at the clock.

/** Milliseconds since 1970-01-01T00:00:00Z. */
export function nowMs(): number {
  return Date.now();
}

/** An instant as the API writes it. */
export function instantOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** The day in UTC, as the server counts days. */
export function today(): string {
  return new Date(Date.now()).toISOString().slice(0, "YYYY-MM-DD".length);
}

/** Resolves after a while; rejects with the signal's reason where it is aborted before. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
