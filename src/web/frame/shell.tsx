// App shell: session, routing and redirects, and the frame around the page.
import { type ComponentType, Fragment } from "preact";
import { useEffect, useState } from "preact/hooks";
import { matchRoute, useLocation, useRouter } from "wouter-preact";
import { answered, trouble } from "../api/send.ts";
import { type Membership, mayAs, readSession, type Session, session } from "../api/session.ts";
import { useStore } from "../api/store.ts";
import { instantOf, nowMs } from "../clock.ts";
import { MODULES } from "../pages.ts";
import { LinkButton } from "../parts/button.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { Failure, Outline } from "../parts/states.tsx";
import { Toasts } from "../parts/toast.tsx";
import { PAGES, type PageName } from "../routes.ts";
import { COMMON, ERRORS } from "../text/common.ts";
import { NO_ACCESS, OPERATOR_RESET } from "../text/frame.ts";
import { Asks } from "./ask-dialogs.tsx";
import { homeOf } from "./navigation.ts";
import { lastLookedAt, type OrganizationContext, OrganizationProvider, organizationOf } from "./page-organization.ts";
import { Search } from "./search/search.tsx";
import { SideBar } from "./side-bar.tsx";

type Page = ComponentType<{ readonly params: Readonly<Record<string, string>> }>;
interface Match {
  readonly name: PageName;
  readonly params: Readonly<Record<string, string>>;
}

/** Everything. */
export function App() {
  const current = useStore(session);
  const [error, setError] = useState<unknown>(null);
  const read = () => {
    setError(null);
    readSession().catch(setError);
  };
  useEffect(read, []);
  return (
    <>
      <TroubleBar />
      {current ? <Addressed current={current} /> : <Waiting error={error} onRetry={read} />}
      <Asks />
      <Toasts />
    </>
  );
}

function Waiting({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <main class="bare">{error ? <Failure error={error} onRetry={onRetry} /> : <Outline what={COMMON.product} />}</main>
  );
}

/** What is wrong with the way to the server. */
function TroubleBar() {
  const current = useStore(trouble);
  if (current === null) return null;
  return (
    <div class="trouble" role="status">
      {current === "OFFLINE" ? ERRORS.offline : ERRORS.unavailable}
    </div>
  );
}

/** The page of an address; the more exact of two goes first. */
function useMatch(): Match | null {
  const router = useRouter();
  const [path] = useLocation();
  for (const name of Object.keys(PAGES) as PageName[]) {
    const [isMatch, params] = matchRoute(router.parser, PAGES[name].path, path);
    if (isMatch) return { name, params: params as Record<string, string> };
  }
  return null;
}

/** The pages of members with the role Stakeholder. */
const OF_HOLDERS: ReadonlySet<PageName> = new Set(["mine", "certificate"]);

/** Where a user is redirected who cannot see the page; null without a redirect. */
function elsewhere({ state, organizations }: Session, match: Match | null, path: string): string | null {
  const name = match?.name;
  if (state === "SETUP") return name === "setUp" || name === "join" ? null : "/setup";
  const isBare = match !== null && PAGES[match.name].place === "bare";
  if (state === "SIGNED_OUT" && !isBare) {
    return path === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(path)}`;
  }
  if (state === "SIGNED_OUT" && name === "setUp") return "/sign-in";
  if (match === null || PAGES[match.name].place !== "organization" || OF_HOLDERS.has(match.name)) return null;
  const membership = organizations.find(({ id }) => id === match.params.orgId);
  return membership?.role === "STAKEHOLDER" ? homeOf(membership) : null;
}

function Addressed({ current }: { readonly current: Session }) {
  const match = useMatch();
  const [path, navigate] = useLocation();
  const away = elsewhere(current, match, path + location.search);
  useEffect(() => {
    if (away !== null) navigate(away, { replace: true });
  }, [away]);
  if (away !== null) return null;
  if (match === null) return <Framed organization={null}>{<NoPage />}</Framed>;
  const { place } = PAGES[match.name];
  const page = <PageOf key={match.name} match={match} />;
  if (place === "bare") return <main class="bare">{page}</main>;
  if (place === "account") return <Framed organization={null}>{page}</Framed>;
  // The portal has no events.
  const isLive = !OF_HOLDERS.has(match.name);
  return <OrganizationFrame {...{ current, page, isLive }} orgId={match.params.orgId ?? ""} />;
}

/** How long what a page itself asks for goes first. */
const LATER_MS = 1000;
const MINUTE_MS = 60_000;

/** Keeps the pages of an organization as it is. */
function useLive(membership: Membership | undefined, isLive: boolean): void {
  const { id, role = "STAKEHOLDER", needsSecondFactor = false } = membership ?? {};
  const isOn = isLive && mayAs(role, "VIEWER") && !needsSecondFactor;
  useEffect(() => {
    if (id === undefined || !isOn) return;
    // By the server's clock, and before the first answer to the page.
    const sinceMs = answered.at === null ? nowMs() - MINUTE_MS : Date.parse(answered.at);
    let end: (() => void) | null = null;
    const timer = setTimeout(async () => {
      const { follow } = await import("../api/live.ts");
      if (end === null) end = follow(id, instantOf(sinceMs));
    }, LATER_MS);
    return () => {
      clearTimeout(timer);
      end?.();
      end = () => undefined;
    };
  }, [id, isOn]);
}

function OrganizationFrame({
  current,
  orgId,
  page,
  isLive,
}: {
  readonly current: Session;
  readonly orgId: string;
  readonly page: preact.ComponentChildren;
  readonly isLive: boolean;
}) {
  const membership = current.organizations.find(({ id }) => id === orgId);
  useLive(membership, isLive);
  useEffect(() => {
    if (membership) lastLookedAt.set(orgId);
  }, [orgId, membership]);
  if (!membership) {
    const { organizationTitle: title, organization: words } = NO_ACCESS;
    return <Framed organization={null}>{<Refused title={title} words={words} href="/organizations" />}</Framed>;
  }
  const organization = organizationOf(membership);
  const { factorTitle, factor, toAccount } = NO_ACCESS;
  return (
    <OrganizationProvider value={organization}>
      <Framed organization={organization}>
        <Search />
        {membership.needsSecondFactor ? (
          <Refused title={factorTitle} words={factor} href="/account" action={toAccount} />
        ) : (
          <>
            {membership.operatorResets > 0 && <OperatorReset href={organization.path("/settings?tab=members")} />}
            <Fragment key={orgId}>{page}</Fragment>
          </>
        )}
      </Framed>
    </OrganizationProvider>
  );
}

/** Told to administrators on each page: they have a day to refuse it. */
function OperatorReset({ href }: { readonly href: string }) {
  return (
    <Notice
      tone="warn"
      title={OPERATOR_RESET.title}
      actions={<LinkButton href={href}>{OPERATOR_RESET.toMembers}</LinkButton>}
    >
      {OPERATOR_RESET.words}
    </Notice>
  );
}

function NoPage() {
  return <Refused title={NO_ACCESS.pageTitle} words={NO_ACCESS.page} href="/" />;
}

function Refused({
  title,
  words,
  href,
  action = NO_ACCESS.toStart,
}: {
  readonly title: string;
  readonly words: string;
  readonly href: string;
  readonly action?: string;
}) {
  return (
    <>
      <PageHead title={title} />
      <Notice tone="warn" actions={<LinkButton href={href}>{action}</LinkButton>}>
        {words}
      </Notice>
    </>
  );
}

function Framed({
  organization,
  children,
}: {
  readonly organization: OrganizationContext | null;
  readonly children: preact.ComponentChildren;
}) {
  const [path] = useLocation();
  const [isFirst, setFirst] = useState(true);
  useEffect(() => {
    // Focus lets a screen reader announce the new page; the browser announces the first one.
    if (isFirst) return setFirst(false);
    scrollTo(0, 0);
    document.querySelector<HTMLElement>("main")?.focus();
  }, [path]);
  return (
    <>
      <a class="skip" href="#content">
        {COMMON.skip}
      </a>
      <div class="frame">
        <SideBar organization={organization} />
        <main id="content" class="content" tabIndex={-1}>
          {children}
        </main>
      </div>
    </>
  );
}

const loaded = new Map<PageName, Page>();

/** A page, loaded when it is first gone to. */
function PageOf({ match: { name, params } }: { readonly match: Match }) {
  const [error, setError] = useState<unknown>(null);
  const [, again] = useState({});
  const load = () => {
    setError(null);
    MODULES[name]().then((module) => {
      loaded.set(name, module.Page);
      again({});
    }, setError);
  };
  useEffect(() => {
    if (!loaded.has(name)) load();
  }, [name]);
  const Page = loaded.get(name);
  if (Page) return <Page params={params} />;
  return error ? <Failure error={error} onRetry={() => location.reload()} /> : <Outline what={ERRORS.page} />;
}
