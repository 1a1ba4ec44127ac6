/**
 * Containers that cameras, phones and editors write. Anything else ffmpeg could open (playlists and lists that name other
 * files or addresses, pictures, texts) is refused before it is looked into.
 */
const CONTAINERS =
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,mxf,flv,asf,ogg,dv,h264,hevc,m4v,mjpeg,nut,wtv,ivf,gxf,rm,swf,r3d';

/**
 * ffmpeg arguments that open one file of a person's: only that file, only as footage. A playlist dressed as a recording
 * must not make ffmpeg fetch an address, open another file or wait for more.
 * @param path absolute path
 * @param output protocols the output needs besides files ("pipe")
 */
export function guardedInput(path: string, output: readonly string[] = []): string[] {
  const protocols = ['file', ...output].join(',');
  return ['-protocol_whitelist', protocols, '-format_whitelist', CONTAINERS, '-i', path];
}

/** Whether ffmpeg refused a file because of the container list. */
export function wasRefused(said: string): boolean {
  return /not on whitelist/i.test(said);
}
