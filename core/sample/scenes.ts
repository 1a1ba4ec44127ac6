import {
  bowlWithKeys,
  type Drawing,
  flowerPot,
  mug,
  paper,
  person,
  rect,
  STILL,
  shadow,
  svgDocument,
  table,
} from './drawing.ts';
import type { Lettering } from './lettering.ts';
import { rideEvening, rideMorning } from './ride.ts';

const { width: W, height: H } = STILL;
const INK = '#1b2430';

function still(body: string, letters: Lettering[]): Drawing {
  return { width: W, height: H, svg: svgDocument(body), letters };
}

function kitchen(): Drawing {
  const tiles = Array.from({ length: 9 }, (_, i) => rect(i * 180, 330, 4, 170, '#c3b49c')).join('');
  const window = `${rect(180, 40, 420, 270, '#f8f4ec', 8)}${rect(200, 60, 380, 230, 'url(#sky)')}${rect(384, 60, 12, 230, '#f8f4ec')}`;
  const body = `${rect(0, 0, W, H, 'url(#wall)')}${window}${rect(0, 330, W, 170, '#e4d8c4')}${tiles}${table(500)}
    ${bowlWithKeys(620, 560)}${mug(920, 590, '#b5473c')}${paper(1000, 360, 330, 220, '#fff3a8', 4)}`;
  return still(body, [
    {
      lines: ['Bins out', 'Friday 7:00', 'Call Mum'],
      face: 'bold',
      size: 44,
      color: INK,
      x: 1165,
      y: 470,
      tilt: 4,
    },
  ]);
}

function whiteboard(): Drawing {
  const body = `${rect(0, 0, W, H, '#cdd3d6')}${shadow(800, 800, 560, 30)}${rect(210, 110, 1180, 640, '#8d969b', 10)}${rect(234, 134, 1132, 592, '#fdfdfb', 4)}
    ${rect(500, 736, 300, 22, '#6d767b', 4)}${rect(540, 724, 120, 14, '#1a3fb0', 6)}${rect(680, 724, 90, 14, '#b02a1a', 6)}`;
  return still(body, [
    { lines: ['PLUMBER  Mr Ross'], face: 'bold', size: 76, color: '#1a3fb0', x: 800, y: 260 },
    { lines: ['Phone 0131 496 0752'], face: 'bold', size: 76, color: '#b02a1a', x: 800, y: 420 },
    { lines: ['Tuesday 19 May  10:30'], face: 'bold', size: 72, color: '#1a3fb0', x: 800, y: 580 },
  ]);
}

function parcel(): Drawing {
  const body = `${rect(0, 0, W, H, 'url(#wall)')}${table(430)}${shadow(800, 760, 520, 40)}
    <path d="M330 250 L1270 250 L1330 740 L270 740 Z" fill="#c79a62"/><path d="M330 250 L1270 250 L1280 310 L322 310 Z" fill="#b3854c"/>
    ${rect(760, 250, 80, 490, '#e2cfa4')}${paper(430, 340, 740, 350, '#fffdf6')}`;
  return still(body, [
    { lines: ['PARCEL FOR FLAT 3'], face: 'bold', size: 60, color: INK, x: 800, y: 420 },
    { lines: ['Collection code 4827'], face: 'bold', size: 58, color: '#9c1f1f', x: 800, y: 520 },
    { lines: ['Post Office, Hope Street'], face: 'sans', size: 46, color: INK, x: 800, y: 615 },
  ]);
}

function annaAtTheDoor(): Drawing {
  const door = `${rect(930, 90, 420, 810, '#3f6b57', 4)}${rect(970, 140, 150, 280, '#35594a')}${rect(1160, 140, 150, 280, '#35594a')}${rect(970, 470, 150, 330, '#35594a')}${rect(1160, 470, 150, 330, '#35594a')}<circle cx="965" cy="460" r="18" fill="#d7b046"/>`;
  const body = `${rect(0, 0, W, H, '#d9cfc0')}${rect(0, 0, 240, H, '#c9bdab')}${door}${rect(0, 800, W, 100, '#8d8478')}${flowerPot(1180, 690)}
    ${person(610, 330, 130, { skin: '#f0c6a4', shade: '#c98f6c', hair: '#5a2f1a', coat: '#7a2e4f', longHair: true })}`;
  return still(body, [{ lines: ['FLAT 3'], face: 'bold', size: 46, color: '#f3e2ae', x: 1140, y: 118 }]);
}

function medicine(): Drawing {
  const pills = Array.from({ length: 8 }, (_, i) => {
    const x = 520 + (i % 4) * 150;
    const y = 640 + Math.floor(i / 4) * 70;
    return `<ellipse cx="${x}" cy="${y}" rx="44" ry="24" fill="#fff" stroke="#b8bec2" stroke-width="3"/>`;
  }).join('');
  const body = `${rect(0, 0, W, H, 'url(#wall)')}${table(420)}${shadow(800, 560, 480, 36)}${rect(380, 180, 840, 370, '#ffffff', 6)}${rect(380, 180, 840, 90, '#c22f2f', 6)}
    ${rect(460, 600, 640, 160, '#cfd6da', 14)}${pills}`;
  return still(body, [
    { lines: ['IBUPROFEN 400 mg'], face: 'bold', size: 70, color: '#ffffff', x: 800, y: 226 },
    {
      lines: ['24 tablets', 'Best before 03/2028'],
      face: 'bold',
      size: 62,
      color: INK,
      x: 800,
      y: 410,
      spacing: 14,
    },
  ]);
}

function clinic(): Drawing {
  const chart = `${rect(1040, 120, 330, 420, '#fbfbf8', 4)}<path d="M1080 420 L1140 340 L1200 380 L1260 290 L1330 310" stroke="#c22f2f" stroke-width="8" fill="none"/>`;
  const body = `${rect(0, 0, W, H, '#dfe9ea')}${rect(0, 640, W, 260, '#b9c9cb')}${chart}${rect(230, 110, 470, 150, '#235d73', 8)}
    ${person(860, 370, 125, { skin: '#e8b990', shade: '#b98258', hair: '#3c3a3a', coat: '#f7f9f9', beard: true })}
    <path d="M800 690 Q 860 780 920 690" stroke="#3a4348" stroke-width="12" fill="none"/>`;
  return still(body, [
    { lines: ['Dr. M. Novak', 'Room 12'], face: 'bold', size: 54, color: '#ffffff', x: 465, y: 185 },
    { lines: ['KNEE'], face: 'bold', size: 48, color: INK, x: 1205, y: 180 },
  ]);
}

function pharmacy(): Drawing {
  const bricks = Array.from({ length: 20 }, (_, i) => rect(0, i * 46, W, 3, '#8c5a48')).join('');
  const body = `${rect(0, 0, W, H, '#a9705c')}${bricks}${rect(240, 130, 1120, 640, '#0b6b39', 18)}${rect(262, 152, 1076, 596, '#0e7f45', 12)}
    ${rect(310, 186, 100, 100, '#fff', 4)}${rect(350, 196, 20, 80, '#0e7f45')}${rect(320, 226, 80, 20, '#0e7f45')}`;
  return still(body, [
    { lines: ['GREEN CROSS PHARMACY'], face: 'bold', size: 58, color: '#ffffff', x: 850, y: 238 },
    {
      lines: ['Mon-Fri   8:00-19:30', 'Saturday   9:00-14:00', 'Sunday   closed'],
      face: 'bold',
      size: 74,
      color: '#ffffff',
      x: 800,
      y: 510,
      spacing: 24,
    },
  ]);
}

function receipt(): Drawing {
  const body = `${rect(0, 0, W, H, 'url(#wood)')}${table(0)}${paper(430, 60, 740, 780, '#fdfdf8')}`;
  return still(body, [
    {
      lines: ['GREEN CROSS PHARMACY', 'RECEIPT'],
      face: 'monoBold',
      size: 46,
      color: INK,
      x: 800,
      y: 185,
      spacing: 10,
    },
    {
      lines: ['Ibuprofen     4.20', 'Plasters      2.75', 'Vitamin D     5.40'],
      face: 'monoBold',
      size: 50,
      color: INK,
      x: 800,
      y: 400,
      align: 'left',
      spacing: 18,
    },
    { lines: ['TOTAL GBP    12.35'], face: 'monoBold', size: 54, color: INK, x: 800, y: 575 },
    { lines: ['Card   15/05/2026 09:48'], face: 'monoBold', size: 40, color: INK, x: 800, y: 680 },
  ]);
}

function bikeShop(): Drawing {
  const wheel = (x: number, y: number, r: number) =>
    `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="#20262b" stroke-width="14"/><circle cx="${x}" cy="${y}" r="${r - 16}" fill="none" stroke="#b9c0c5" stroke-width="4"/>${Array.from({ length: 8 }, (_, i) => `<path d="M${x} ${y} L${(x + (r - 16) * Math.cos((i * Math.PI) / 4)).toFixed(1)} ${(y + (r - 16) * Math.sin((i * Math.PI) / 4)).toFixed(1)}" stroke="#9aa2a7" stroke-width="2"/>`).join('')}`;
  const bike = `${wheel(1060, 690, 120)}${wheel(1330, 690, 120)}<path d="M1060 690 L1130 540 L1270 540 L1190 690 Z M1130 540 L1190 690 M1270 540 L1330 690 M1270 540 L1255 480 L1310 478 M1130 540 L1118 500 L1080 500 L1150 500" stroke="#d0472f" stroke-width="16" fill="none" stroke-linejoin="round"/>`;
  const body = `${rect(0, 0, W, H, '#c5b79f')}${rect(0, 720, W, 180, '#7c746a')}${rect(250, 110, 560, 130, '#26343f', 8)}${rect(900, 150, 450, 290, '#24343a', 6)}${bike}
    ${person(560, 430, 118, { skin: '#c88f66', shade: '#8f5c3a', hair: '#1e1713', coat: '#35506b', beard: true })}`;
  return still(body, [
    { lines: ['HILL STREET CYCLES'], face: 'bold', size: 46, color: '#ffd35c', x: 530, y: 174 },
    {
      lines: ['Brake pads 38.00', 'Inner tube 9.00', 'Service 55.00'],
      face: 'bold',
      size: 46,
      color: '#f2f2ea',
      x: 1125,
      y: 295,
      align: 'left',
      spacing: 14,
    },
  ]);
}

function departures(): Drawing {
  const body = `${rect(0, 0, W, H, '#5c646b')}${rect(0, 780, W, 120, '#3d4348')}${rect(210, 110, 1180, 640, '#15191c', 10)}${rect(232, 132, 1136, 596, '#060708', 4)}${rect(232, 240, 1136, 4, '#4a3a10')}`;
  return still(body, [
    { lines: ['DEPARTURES 17:10'], face: 'monoBold', size: 60, color: '#ffc23d', x: 800, y: 190 },
    {
      lines: [
        '17:24 Glasgow Platform 7',
        '17:32 Aberdeen Platform 11',
        '17:40 London Platform 2',
        '17:51 Stirling Delayed',
      ],
      face: 'bold',
      size: 64,
      color: '#ffc23d',
      x: 800,
      y: 470,
      align: 'left',
      spacing: 32,
    },
  ]);
}

/** Every picture of the day by name. A scene wider than a still is a road that passes by. */
export const SCENES = {
  kitchen,
  whiteboard,
  parcel,
  anna: annaAtTheDoor,
  medicine,
  clinic,
  pharmacy,
  receipt,
  bikeShop,
  departures,
  rideMorning,
  rideEvening,
} as const;

export type SceneName = keyof typeof SCENES;
