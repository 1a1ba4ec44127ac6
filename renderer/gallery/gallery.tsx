import { createRoot } from 'react-dom/client';
import { App } from '../App.tsx';
import { createAppStore } from '../store/app-store.ts';
import { WorldContext } from '../store/context.tsx';
import { hashOf } from '../store/route-slice.ts';
import type { Deps } from '../store/state.ts';
import { fakeHost } from '../testing/fake-host.ts';
import { EXHIBITS, type Exhibit } from './worlds.ts';
import '../styles/index.css';

/** A page that shows every screen in every state over made-up days, without an engine: "gallery.html?show=ask-answer". */
function Index() {
  return (
    <main className="page">
      <h1 className="page-title">Gallery</h1>
      <ul>
        {EXHIBITS.map((exhibit) => (
          <li key={exhibit.name}>
            <a href={`?show=${exhibit.name}`}>{exhibit.name}</a>
          </li>
        ))}
      </ul>
    </main>
  );
}

async function show(exhibit: Exhibit): Promise<void> {
  const deps: Deps = {
    host: fakeHost(exhibit.world()),
    now: () => Date.parse('2025-03-14T20:00:00Z'),
    goTo: (route) => {
      location.hash = hashOf(route);
    },
    locale: 'en-GB',
    zone: 'Europe/Warsaw',
  };
  const store = createAppStore(deps);
  location.hash = exhibit.hash;
  await store.getState().loadLibrary();
  deps.host.onConnection((state) => store.getState().connectionChanged(state));
  exhibit.after?.(store);
  root?.render(
    <WorldContext value={{ store, deps }}>
      <App />
    </WorldContext>,
  );
}

const place = document.getElementById('root');
const root = place ? createRoot(place) : null;
const wanted = new URLSearchParams(location.search).get('show');
const exhibit = EXHIBITS.find((one) => one.name === wanted);
if (exhibit) void show(exhibit);
else root?.render(<Index />);
