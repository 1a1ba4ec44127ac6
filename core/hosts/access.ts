import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

function same(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/**
 * Who may talk to the server: whoever opens the printed address once, and from then on that browser by its cookie.
 * Host and Origin must name this very server, so that no page of another site and no rebound name gets through.
 */
export class Access {
  #tokens = new Set<string>();
  #sessions = new Set<string>();
  #hosts: Set<string>;
  /** A browser sends cookies of one host to every port of it: two servers must not sign each other out. */
  #cookie: string;

  /** @param port the port served on 127.0.0.1 */
  constructor(port: number) {
    this.#cookie = `footnote-${port}`;
    this.#hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
  }

  /** A token that opens the interface once. */
  issueToken(): string {
    const token = randomBytes(24).toString('base64url');
    this.#tokens.add(token);
    return token;
  }

  /** Spends a token; the cookie to set, or null when it is not (or no longer) good. */
  redeem(token: string): string | null {
    for (const known of this.#tokens) {
      if (!same(known, token)) continue;
      this.#tokens.delete(known);
      const session = randomBytes(24).toString('base64url');
      this.#sessions.add(session);
      return `${this.#cookie}=${session}; HttpOnly; SameSite=Strict; Path=/`;
    }
    return null;
  }

  hostAllowed(request: IncomingMessage): boolean {
    return this.#hosts.has(request.headers.host ?? '');
  }

  /** For requests that change or stream something: the page they come from must be ours. */
  originAllowed(request: IncomingMessage): boolean {
    const { origin } = request.headers;
    if (origin === undefined)
      return (
        request.headers['sec-fetch-site'] === undefined || request.headers['sec-fetch-site'] === 'same-origin'
      );
    return [...this.#hosts].some((host) => origin === `http://${host}`);
  }

  signedIn(request: IncomingMessage): boolean {
    const cookie = (request.headers.cookie ?? '')
      .split(';')
      .map((part) => part.trim())
      .find((part) => part.startsWith(`${this.#cookie}=`));
    if (!cookie) return false;
    const session = cookie.slice(this.#cookie.length + 1);
    return [...this.#sessions].some((known) => same(known, session));
  }
}
