import sharp from 'sharp';

/** A head and shoulders of our own drawing, shaded like a photo so that a face detector takes it for one. */
const HEAD = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="480" viewBox="0 0 400 480">
  <defs>
    <radialGradient id="skin" cx="45%" cy="40%" r="65%">
      <stop offset="0" stop-color="#eec3a0"/><stop offset="0.65" stop-color="#d69f78"/><stop offset="1" stop-color="#8d5b3f"/>
    </radialGradient>
    <radialGradient id="cheek"><stop offset="0" stop-color="#d9825f" stop-opacity="0.5"/><stop offset="1" stop-color="#d9825f" stop-opacity="0"/></radialGradient>
    <radialGradient id="socket"><stop offset="0" stop-color="#6b4028" stop-opacity="0.65"/><stop offset="1" stop-color="#6b4028" stop-opacity="0"/></radialGradient>
    <linearGradient id="neck" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#7d4f36"/><stop offset="1" stop-color="#c99470"/></linearGradient>
    <filter id="soft"><feGaussianBlur stdDeviation="2.2"/></filter>
    <filter id="softer"><feGaussianBlur stdDeviation="5"/></filter>
  </defs>
  <path d="M20 480 Q40 385 150 370 L250 370 Q360 385 380 480 Z" fill="#33506e"/>
  <path d="M155 300 L155 385 Q200 420 245 385 L245 300 Z" fill="url(#neck)" filter="url(#soft)"/>
  <ellipse cx="200" cy="165" rx="112" ry="128" fill="#2d1d14" filter="url(#soft)"/>
  <ellipse cx="104" cy="215" rx="14" ry="30" fill="#b97f5d"/><ellipse cx="296" cy="215" rx="14" ry="30" fill="#a86f50"/>
  <path d="M108 190 Q106 105 200 100 Q294 105 292 190 Q294 265 255 310 Q228 342 200 342 Q172 342 145 310 Q106 265 108 190 Z" fill="url(#skin)" filter="url(#soft)"/>
  <path d="M104 185 Q108 85 200 82 Q292 85 296 185 Q280 130 235 122 Q160 118 140 135 Q112 150 104 185 Z" fill="#2d1d14" filter="url(#soft)"/>
  <ellipse cx="155" cy="200" rx="38" ry="24" fill="url(#socket)"/><ellipse cx="245" cy="200" rx="38" ry="24" fill="url(#socket)"/>
  <circle cx="140" cy="255" r="34" fill="url(#cheek)"/><circle cx="260" cy="255" r="34" fill="url(#cheek)"/>
  <g filter="url(#soft)">
    <path d="M126 180 Q152 164 182 178" stroke="#2d1d14" stroke-width="9" fill="none"/>
    <path d="M218 178 Q248 164 274 180" stroke="#2d1d14" stroke-width="9" fill="none"/>
    <path d="M192 195 Q186 240 178 256 Q188 268 200 266 Q212 268 222 256 Q214 240 208 195" fill="#c48a64" fill-opacity="0.75"/>
    <path d="M176 258 Q186 268 192 262 M208 262 Q214 268 224 258" stroke="#5b3220" stroke-width="6" fill="none"/>
    <path d="M197 195 L197 248" stroke="#f3d0b2" stroke-width="6" stroke-opacity="0.7"/>
  </g>
  <ellipse cx="155" cy="203" rx="20" ry="10.5" fill="#f1e9e3"/><ellipse cx="245" cy="203" rx="20" ry="10.5" fill="#f1e9e3"/>
  <circle cx="156" cy="203" r="9.5" fill="#3b2415"/><circle cx="246" cy="203" r="9.5" fill="#3b2415"/>
  <circle cx="159" cy="200" r="2.6" fill="#fff"/><circle cx="249" cy="200" r="2.6" fill="#fff"/>
  <path d="M134 201 Q155 186 177 201" stroke="#24140c" stroke-width="4.5" fill="none"/><path d="M223 201 Q245 186 267 201" stroke="#24140c" stroke-width="4.5" fill="none"/>
  <g filter="url(#soft)">
    <path d="M160 292 Q182 280 200 286 Q218 280 240 292 Q220 312 200 312 Q180 312 160 292 Z" fill="#a8503f"/>
    <path d="M160 293 Q200 299 240 293" stroke="#5a2019" stroke-width="4" fill="none"/>
    <path d="M178 322 Q200 330 222 322" stroke="#8d5b3f" stroke-width="5" stroke-opacity="0.6" fill="none"/>
  </g>
</svg>`;

/**
 * A PNG of the drawn head on a transparent ground.
 * @param height px
 */
export function drawnFace(height: number): Promise<Buffer> {
  return sharp(Buffer.from(HEAD)).resize({ height }).png().toBuffer();
}
