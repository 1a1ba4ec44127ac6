import type { ConnectionState } from '../connection/reconnecting-link.ts';
import { strings } from '../strings.ts';
import type { Slice } from './state.ts';

export type ConnectionSlice = {
  connection: ConnectionState;
  /** The last thing worth saying aloud; the number makes the same words twice two things. */
  announcement: { text: string; number: number };
  announce: (text: string) => void;
  /** Takes over a change of the connection; what is shown is read again when it is back. */
  connectionChanged: (state: ConnectionState) => void;
};

export const connectionSlice: Slice<ConnectionSlice> = (set, get) => ({
  connection: 'waiting',
  announcement: { text: '', number: 0 },
  announce: (text) => set((s) => ({ announcement: { text, number: s.announcement.number + 1 } })),
  connectionChanged: (connection) => {
    const before = get().connection;
    set({ connection });
    if (connection === 'lost') get().announce(strings.connection.lost);
    if (connection !== 'open') return;
    if (before === 'lost') get().announce(strings.connection.back);
    void get().loadLibrary();
    void get().loadImports();
    void get().loadModels();
    void get().followModels();
    const { route } = get();
    if (route.page === 'days') void get().loadDays();
  },
});
