import { FootnoteError, isThisComputer } from '../../contract/index.ts';

/**
 * The address of a language server, checked: on this computer, unless the person allowed that host by name.
 * @param address "http://127.0.0.1:11434/v1"
 * @param allowed hosts the person said yes to, as they stand in an address
 * @throws FootnoteError BAD_REQUEST for what is no http address, holds a password, or leads elsewhere
 */
export function serverAddress(address: string, allowed: readonly string[] = []): URL {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw new FootnoteError('BAD_REQUEST', `“${address}” is no address of a server.`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new FootnoteError('BAD_REQUEST', 'A server is reached by http or https.');
  if (url.username !== '' || url.password !== '')
    throw new FootnoteError('BAD_REQUEST', 'The address must not hold a name or password.');
  if (!isThisComputer(url.hostname) && !allowed.includes(url.hostname))
    throw new FootnoteError(
      'BAD_REQUEST',
      `${url.hostname} is not this computer. What you ask and what your memory holds would be sent there; allow that host if you want this.`,
      { host: url.hostname },
    );
  return url;
}
