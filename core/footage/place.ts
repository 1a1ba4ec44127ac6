/** A point on the earth, WGS 84 degrees. */
export interface Place {
  lat: number;
  lon: number;
  /** Metres; null when not given. */
  altitudeM: number | null;
}

/** ISO 6709 in degrees, as phones and cameras write it: "+32.0929+034.8620+028.516/". */
const ISO_6709 = /^([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)([+-]\d+(?:\.\d+)?)?/;
const PLACE_TAGS = ['com.apple.quicktime.location.iso6709', 'location', 'location-eng', '©xyz'];
const EARTH_RADIUS_M = 6_371_008.8;

/** The one place a container gives for the whole file; null when there is none or it is no place. */
export function placeFromTags(tags: Record<string, string>): Place | null {
  for (const tag of PLACE_TAGS) {
    const match = ISO_6709.exec(tags[tag] ?? '');
    if (!match) continue;
    const [lat, lon] = [Number(match[1]), Number(match[2])];
    if (Math.abs(lat) > 90 || Math.abs(lon) > 180 || (lat === 0 && lon === 0)) continue;
    return { lat, lon, altitudeM: match[3] === undefined ? null : Number(match[3]) };
  }
  return null;
}

/** Metres between two points along the surface. */
export function haversineMetres(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  const rad = Math.PI / 180;
  const dLat = (b.lat - a.lat) * rad;
  const dLon = (b.lon - a.lon) * rad;
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(dLon / 2) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)));
}
