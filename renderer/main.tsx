import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { findHost } from './host.ts';
import { createAppStore } from './store/app-store.ts';
import { WorldContext } from './store/context.tsx';
import { hashOf } from './store/route-slice.ts';
import type { Deps } from './store/state.ts';
import './styles/index.css';

const deps: Deps = {
  host: findHost(window),
  now: () => Date.now(),
  goTo: (route) => {
    location.hash = hashOf(route);
  },
  locale: navigator.language,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
};
const store = createAppStore(deps);
deps.host.onConnection((state) => store.getState().connectionChanged(state));
document.documentElement.lang = 'en';

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <WorldContext value={{ store, deps }}>
      <App />
    </WorldContext>,
  );
}
