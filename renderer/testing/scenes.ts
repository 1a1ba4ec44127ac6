/** Scenes that a made-up day is put together from, each with one of the drawn pictures. */
export type Scene = {
  caption: string;
  text: string;
  said: Array<{ speaker: string | null; text: string }>;
  read: string[];
  people: number;
  picture: 'kitchen' | 'street' | 'shop' | 'park' | 'desk' | 'tram';
};

export const SCENES: readonly Scene[] = [
  {
    caption: 'A kitchen table, a mug and a bunch of keys beside it',
    text: 'I am in a kitchen. I put the keys down beside the blue mug and hold still for a while.',
    said: [{ speaker: null, text: 'I will just leave the keys here by the mug.' }],
    read: [],
    people: 0,
    picture: 'kitchen',
  },
  {
    caption: 'A street; a green sign reads PHARMACY, OPEN 8–20',
    text: 'I walk along a street. A green sign says PHARMACY, OPEN 8–20. One person passes.',
    said: [],
    read: ['PHARMACY', 'OPEN 8–20'],
    people: 1,
    picture: 'street',
  },
  {
    caption: 'A shop counter and a receipt: BREAD 3.20, MILK 1.45, TOTAL 4.65',
    text: 'I stand at a counter and look at a receipt. It reads BREAD 3.20, MILK 1.45, TOTAL 4.65.',
    said: [
      { speaker: 'Mira', text: 'That makes four sixty-five.' },
      { speaker: null, text: 'Thank you, have a good day.' },
    ],
    read: ['BREAD 3.20', 'MILK 1.45', 'TOTAL 4.65'],
    people: 1,
    picture: 'shop',
  },
  {
    caption: 'Trees and a path; a cat crosses from the left',
    text: 'I walk on a path between trees. The camera moves evenly. A cat crosses from the left.',
    said: [{ speaker: null, text: 'There is that cat again.' }],
    read: [],
    people: 0,
    picture: 'park',
  },
  {
    caption: 'A desk with an open book; the page is headed Chapter Seven',
    text: 'I sit at a desk and read. The page is headed “Chapter Seven”. It is quiet and I hardly move.',
    said: [],
    read: ['Chapter Seven'],
    people: 0,
    picture: 'desk',
  },
  {
    caption: 'Inside a tram; the display shows NEXT STOP LIBRARY',
    text: 'I ride a tram. Its display shows NEXT STOP LIBRARY. Three people are near me.',
    said: [{ speaker: null, text: 'We get off at the library.' }],
    read: ['NEXT STOP LIBRARY'],
    people: 3,
    picture: 'tram',
  },
];
