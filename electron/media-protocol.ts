import { protocol } from 'electron';
import { MEDIA_SCHEME } from './addresses.ts';
import { type FindMedia, mediaResponse } from './media-response.ts';

/** Serves keyframes and clips by id. Must run once the app is ready. */
export function serveMedia(find: FindMedia): void {
  protocol.handle(MEDIA_SCHEME, (request) => mediaResponse(request, find));
}
