import { useEffect } from 'react';
import { AskPage } from './features/ask/ask-page.tsx';
import { FirstRunPage } from './features/first-run/first-run-page.tsx';
import { AddPage } from './features/importing/add-page.tsx';
import { DropAnywhere } from './features/importing/drop-anywhere.tsx';
import { ImportLine } from './features/importing/import-line.tsx';
import { LibraryPage } from './features/library/library-page.tsx';
import { FetchDialog } from './features/models/fetch-dialog.tsx';
import { ModelsLine } from './features/models/models-line.tsx';
import { ModelsPage } from './features/models/models-page.tsx';
import { RemoveDialog } from './features/models/remove-dialog.tsx';
import { ForgetDialog } from './features/privacy/forget-dialog.tsx';
import { FindPage } from './features/search/find-page.tsx';
import { SearchBox } from './features/search/search-box.tsx';
import { DaysPage } from './features/timeline/days-page.tsx';
import { useApp } from './store/context.tsx';
import { hashOf, type Route, routeOf } from './store/route-slice.ts';
import { strings } from './strings.ts';
import { ConnectionBanner } from './ui/connection-banner.tsx';
import { LiveRegion } from './ui/live-region.tsx';

/** The window: header, one page, and what may lie over it. */
export function App() {
  useAddress();
  return (
    <>
      <button type="button" className="skip" onClick={skipToPage}>
        {strings.skip}
      </button>
      <header>
        <Masthead />
        <ConnectionBanner />
        <ImportLine />
        <ModelsLine />
      </header>
      <CurrentPage />
      <DropAnywhere />
      <ForgetDialog />
      <FetchDialog />
      <RemoveDialog />
      <LiveRegion />
    </>
  );
}

/** Keeps the store's route the same as the page's address. */
function useAddress(): void {
  const openRoute = useApp((s) => s.openRoute);
  const dismissForgotten = useApp((s) => s.dismissForgotten);
  useEffect(() => {
    const follow = () => openRoute(routeOf(location.hash));
    follow();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [openRoute]);
  const page = useApp((s) => s.route.page);
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaving the page is what ends the remark
  useEffect(() => dismissForgotten, [page, dismissForgotten]);
}

/** A button and no link: the address after "#" is the route. */
function skipToPage(): void {
  document.getElementById('page')?.focus();
}

function Masthead() {
  return (
    <div className="header">
      <a className="wordmark" href={hashOf({ page: 'ask' })}>
        {strings.name}
      </a>
      <nav className="pages" aria-label={strings.nav.label}>
        <PageLink route={{ page: 'ask' }} name={strings.nav.ask} />
        <PageLink route={{ page: 'days', day: null, episodeId: null }} name={strings.nav.days} />
        <PageLink route={{ page: 'add' }} name={strings.nav.add} />
        <PageLink route={{ page: 'models' }} name={strings.nav.models} />
        <PageLink route={{ page: 'library' }} name={strings.nav.library} />
      </nav>
      <SearchBox />
    </div>
  );
}

function PageLink({ route, name }: { route: Route; name: string }) {
  const current = useApp((s) => s.route.page === route.page);
  return (
    <a href={hashOf(route)} aria-current={current ? 'page' : undefined}>
      {name}
    </a>
  );
}

function CurrentPage() {
  const route = useApp((s) => s.route);
  const empty = useApp((s) => s.status !== null && s.status.episodes === 0);
  switch (route.page) {
    case 'days':
      return <DaysPage day={route.day} episodeId={route.episodeId} />;
    case 'add':
      return <AddPage />;
    case 'find':
      return <FindPage query={route.query} />;
    case 'models':
      return <ModelsPage />;
    case 'library':
      return <LibraryPage />;
    case 'ask':
      return empty ? <FirstRunPage /> : <AskPage />;
  }
}
