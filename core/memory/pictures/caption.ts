/**
 * Models of this kind were trained on captions, not on questions: what stands around the thing asked about ("where did I see …?") is left
 * out. Only frames are cut, never a word of the thing itself.
 */
const FRAMES: readonly RegExp[] = [
  /^(?:please\s+)?(?:show|find|tell)(?:\s+me)?\s+/i,
  /^(?:where|when|how\s+often|what\s+time|(?:on\s+)?(?:which|what)\s+day)\s+/i,
  /^(?:did|do|does|have|had|has|was|were|is|are)\s+/i,
  /^(?:i|we|you|there)\s+/i,
  /^(?:ever|last|first|just|also|once|again)\s+/i,
  /^(?:see|saw|seen|seeing|notice|noticed|spot|spotted|look(?:ed)?\s+at|pass|passed|leave|left|put|have|own|find|found)\s+/i,
  /^(?:my|our|the|that|this)\s+/i,
];

/** What the picture of a question would be captioned with: "When did I last see the two blue books?" gives "a photo of two blue books". */
export function captionOf(query: string): string {
  let thing = query.replace(/[?!.\s]+$/u, '').trim();
  for (const frame of FRAMES) {
    const rest = thing.replace(frame, '').trim();
    if (rest !== '') thing = rest;
  }
  return photoOf(thing);
}

/** CLIP's own prompt for naming what a picture shows. */
export function photoOf(thing: string): string {
  return `a photo of ${thing}`;
}
