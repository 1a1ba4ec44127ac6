/** Addresses inside the shell. Both schemes exist in this app only. */
export const APP_SCHEME = 'footnote-app';
export const APP_ORIGIN = `${APP_SCHEME}://app`;
export const MEDIA_SCHEME = 'footnote-media';
/** What stands before a media id. */
export const MEDIA_BASE = `${MEDIA_SCHEME}://media/`;

/** The preload asks for a port on this channel, and gets it on the same. */
export const PORT_CHANNEL = 'footnote:port';
