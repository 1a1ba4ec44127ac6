import { createORPCClient } from '@orpc/client';
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '../core/contract/router.ts';
import { type ConnectionState, ReconnectingLink, type Session } from './connection/reconnecting-link.ts';

/** Every call of the contract, typed; the only way from the interface to the engine. */
export type Client = ContractRouterClient<typeof contract>;

export type ConnectedClient = {
  client: Client;
  onState: (listener: (state: ConnectionState) => void) => () => void;
};

/** A client that opens its sessions with `connect` and opens another whenever one ends. */
export function connectClient(connect: () => Promise<Session>): ConnectedClient {
  const link = new ReconnectingLink({
    connect,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  void link.run();
  return { client: createORPCClient<Client>(link), onState: (listener) => link.onState(listener) };
}
