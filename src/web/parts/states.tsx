// States of content, the same on all pages: loading, empty, no match, error.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiProblem, Declined, isGone, NoAnswer, Told } from "../api/problem.ts";
import type { Query } from "../api/query.ts";
import { COMMON, ERRORS } from "../text/common.ts";
import { Button, LinkButton } from "./button.tsx";
import { Copy } from "./copy.tsx";
import { Notice } from "./notice.tsx";

const OUTLINE_AFTER_MS = 150;
const DIM_AFTER_MS = 400;

/** Whether something has been so for a while. */
export function useAfter(isSo: boolean, ms: number): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isSo) return setLong(false);
    const timer = setTimeout(() => setLong(true), ms);
    return () => clearTimeout(timer);
  }, [isSo, ms]);
  return isSo && isLong;
}

/**
 * Shows a query's data once loaded, before that an outline, and after a failure the error. Old data stays during a
 * reload, dimmed after a while, and below a notice where the record was deleted. `what` completes "Loading …".
 */
export function Loaded<T>({
  query,
  what,
  noun = ERRORS.page,
  lines = 4,
  list,
  children,
}: {
  readonly query: Query<T>;
  readonly what: string;
  /** What a `404` says is not there. */
  readonly noun?: string;
  /** How many lines the outline has. */
  readonly lines?: number;
  /** Where the others are: what a `404` leads to. */
  readonly list?: { readonly label: string; readonly href: string };
  readonly children: (data: T) => ComponentChildren;
}) {
  const { data, error, isLoading, isOld, reload } = query;
  const isSlow = useAfter(isLoading && (data === undefined || isOld), DIM_AFTER_MS);
  if (data !== undefined && (error === null || !isOld)) {
    return (
      <div class={isSlow ? "loaded dimmed" : "loaded"} aria-busy={isLoading}>
        {list && isGone(error) && (
          <div class="gone">
            <Notice
              tone="warn"
              title={ERRORS.deleted(noun)}
              actions={<LinkButton href={list.href}>{list.label}</LinkButton>}
            />
          </div>
        )}
        {children(data)}
      </div>
    );
  }
  if (isGone(error) && list) {
    return (
      <Failure error={error} noun={noun}>
        <LinkButton href={list.href}>{list.label}</LinkButton>
      </Failure>
    );
  }
  if (error !== null && error !== undefined) return <Failure error={error} noun={noun} onRetry={reload} />;
  return <Outline what={what} lines={lines} />;
}

/** The outline of what is to come; nothing at first, because most things come at once. */
export function Outline({ what, lines = 4 }: { readonly what: string; readonly lines?: number }) {
  const isShown = useAfter(true, OUTLINE_AFTER_MS);
  if (!isShown) return <div class="outline" />;
  return (
    <div class="outline" role="status">
      <span class="visually-hidden">{COMMON.loading(what)}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class="outline-line" />
      ))}
    </div>
  );
}

/** What went wrong, in words. */
export function wordsOf(
  error: unknown,
  noun: string = ERRORS.page,
): { readonly title: string; readonly detail: string } {
  if (error instanceof ApiProblem) {
    if (isGone(error)) return { title: ERRORS.notFoundTitle, detail: ERRORS.notFound(noun) };
    return { title: error.title || ERRORS.title, detail: error.detail };
  }
  if (error instanceof Told) return { title: ERRORS.failed, detail: error.message };
  if (error instanceof Declined) return { title: ERRORS.failed, detail: ERRORS.declined };
  return { title: ERRORS.title, detail: error instanceof NoAnswer ? ERRORS.noAnswer : ERRORS.detail };
}

/** A notice in place of content: what went wrong, and a way on. */
export function Failure({
  error,
  noun,
  onRetry,
  children,
}: {
  readonly error: unknown;
  readonly noun?: string;
  readonly onRetry?: () => void;
  /** Further ways on: the list's link. */
  readonly children?: ComponentChildren;
}) {
  const { title, detail } = wordsOf(error, noun);
  const requestId = error instanceof ApiProblem ? error.requestId : null;
  const actions = (
    <>
      {onRetry && <Button onClick={onRetry}>{COMMON.retry}</Button>}
      {children}
      {requestId && (
        <span class="request-id">
          {COMMON.request} <code>{requestId}</code>
          <Copy text={requestId} />
        </span>
      )}
    </>
  );
  return (
    <Notice tone="bad" title={title} actions={actions}>
      {detail}
    </Notice>
  );
}

/** Where there is nothing yet: what belongs here, and the action that makes the first one. */
export function Empty({ words, children }: { readonly words: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>{words}</p>
      {children && <div class="row">{children}</div>}
    </div>
  );
}

/** Where nothing matches the filters. */
export function NothingMatches({ onClear }: { readonly onClear: () => void }) {
  return (
    <Empty words={COMMON.nothingMatches}>
      <Button onClick={onClear}>{COMMON.clearFilters}</Button>
    </Empty>
  );
}
