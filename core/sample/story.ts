import type { GpsWalk } from './gpmf.ts';
import type { SceneName } from './scenes.ts';
import type { VoiceName } from './voice.ts';

/**
 * The sample day as data: Friday 15 May 2026 of one person in Edinburgh. Every name, number and price is invented; the
 * phone number is from the range kept free for fiction.
 */
export interface SpokenLine {
  speaker: string;
  voice: VoiceName;
  text: string;
  /** Earliest start within the scene, s; a line never begins before the one ahead of it has ended. */
  at: number;
}

export interface Scene {
  /** How evidence refers to it. */
  id: string;
  art: SceneName;
  seconds: number;
  speech?: SpokenLine[];
}

/** One file of footage. */
export interface Take {
  /** Path inside the sample day, "/" between folders. */
  file: string;
  /** When it really began, ISO 8601 with offset. */
  recordedAt: string;
  /** What the camera writes as creation_time. GoPro cameras write local time and label it UTC. */
  creationTime: string;
  scenes: Scene[];
  /** Handler names and the like by which cameras are known. */
  maker: 'gopro' | 'dji' | 'phone';
  /** Also write the camera's low-resolution copy and thumbnail. */
  proxy?: { lrv: string; thm: string };
  /** Where the file says it was made, WGS 84 degrees. */
  place?: { lat: number; lon: number };
  /** Write a track of GPS telemetry along this walk or ride. */
  gps?: GpsWalk;
  /** Start timecode, "hh:mm:ss:ff". */
  timecode?: string;
}

export interface SampleQuestion {
  id: string;
  question: string;
  /** An answer is right when it contains one of these, whatever the case; empty for what the footage does not hold. */
  accept: string[];
  /** Scene ids; an answer must cite an episode that overlaps one of them, all of them when `all` is set. */
  evidence: string[];
  all?: boolean;
  answerable: boolean;
}

/** Meadows, Edinburgh. */
const HOME = { lat: 55.9412, lon: -3.1918 };

const me = (at: number, text: string): SpokenLine => ({ speaker: 'Me', voice: 'kal16', text, at });
const anna = (at: number, text: string): SpokenLine => ({ speaker: 'Anna', voice: 'slt', text, at });
const novak = (at: number, text: string): SpokenLine => ({ speaker: 'Dr. Novak', voice: 'rms', text, at });
const sam = (at: number, text: string): SpokenLine => ({ speaker: 'Sam', voice: 'awb', text, at });

/** When the questions are asked: the evening of that day. */
export const ASKED_AT = '2026-05-15T21:00:00+01:00';

export const TAKES: Take[] = [
  {
    file: 'DCIM/100GOPRO/GX010101.MP4',
    recordedAt: '2026-05-15T08:05:00+01:00',
    creationTime: '2026-05-15T08:05:00Z',
    maker: 'gopro',
    proxy: { lrv: 'DCIM/100GOPRO/GL010101.LRV', thm: 'DCIM/100GOPRO/GX010101.THM' },
    gps: { ...HOME, heading: 0, speed: 0 },
    timecode: '08:05:00:00',
    scenes: [
      {
        id: 'keys',
        art: 'kitchen',
        seconds: 22,
        speech: [
          me(2, 'Good morning. It is Friday.'),
          me(7, 'I am putting my keys in the blue bowl, so I can find them tonight.'),
        ],
      },
      {
        id: 'plumber',
        art: 'whiteboard',
        seconds: 20,
        speech: [me(3, 'The plumber is coming on Tuesday. His number is on the board.')],
      },
      { id: 'parcel', art: 'parcel', seconds: 18 },
    ],
  },
  {
    file: 'DCIM/100GOPRO/GX020101.MP4',
    recordedAt: '2026-05-15T08:06:00+01:00',
    // Every chapter of a take carries the first one's creation time, as recent GoPro cameras write it.
    creationTime: '2026-05-15T08:05:00Z',
    maker: 'gopro',
    gps: { ...HOME, heading: 0, speed: 0 },
    timecode: '08:06:00:00',
    scenes: [
      {
        id: 'anna',
        art: 'anna',
        seconds: 22,
        speech: [
          anna(2, 'I will leave the spare keys under the red flower pot.'),
          me(7, 'Thank you, Anna. When are you back?'),
          anna(11, 'I am back on Sunday evening.'),
        ],
      },
      { id: 'medicine', art: 'medicine', seconds: 14 },
    ],
  },
  {
    file: 'DCIM/100GOPRO/GX010102.MP4',
    recordedAt: '2026-05-15T08:30:00+01:00',
    creationTime: '2026-05-15T08:30:00Z',
    maker: 'gopro',
    gps: { ...HOME, heading: 20, speed: 5.2 },
    timecode: '08:30:00:00',
    scenes: [
      {
        id: 'ride-out',
        art: 'rideMorning',
        seconds: 30,
        speech: [me(4, 'I am riding my bike to the clinic, over Mill Bridge.')],
      },
    ],
  },
  {
    file: 'Phone/PXL_20260515_080500123.mp4',
    recordedAt: '2026-05-15T09:05:00+01:00',
    creationTime: '2026-05-15T08:05:00Z',
    maker: 'phone',
    place: { lat: 55.9445, lon: -3.1872 },
    scenes: [
      {
        id: 'clinic',
        art: 'clinic',
        seconds: 44,
        speech: [
          novak(2, 'Good morning. Your knee is swollen, but nothing is broken.'),
          novak(8, 'Take two tablets every eight hours, with food.'),
          me(14, 'For how many days?'),
          novak(17, 'For seven days. No running until then.'),
          me(23, 'And when shall I come back?'),
          novak(26, 'Come back on Thursday, the twenty-eighth of May, at quarter past nine.'),
          me(35, 'Thank you, doctor.'),
        ],
      },
    ],
  },
  {
    file: 'DCIM/100GOPRO/GX010103.MP4',
    recordedAt: '2026-05-15T09:40:00+01:00',
    creationTime: '2026-05-15T09:40:00Z',
    maker: 'gopro',
    gps: { lat: 55.9443, lon: -3.1899, heading: 90, speed: 1.1 },
    timecode: '09:40:00:00',
    scenes: [
      { id: 'pharmacy', art: 'pharmacy', seconds: 20 },
      { id: 'receipt', art: 'receipt', seconds: 20 },
    ],
  },
  {
    file: 'Phone/PXL_20260515_111500456.mp4',
    recordedAt: '2026-05-15T12:15:00+01:00',
    creationTime: '2026-05-15T11:15:00Z',
    maker: 'phone',
    place: { lat: 55.9401, lon: -3.2042 },
    scenes: [
      {
        id: 'bike-shop',
        art: 'bikeShop',
        seconds: 40,
        speech: [
          sam(2, 'Your rear brake pads are worn out.'),
          me(7, 'How much are new ones?'),
          sam(10, 'New brake pads are thirty eight pounds, with fitting.'),
          me(17, 'When can I bring it in?'),
          sam(21, 'Bring the bike on Monday at four o’clock.'),
          me(28, 'Fine. See you on Monday, Sam.'),
        ],
      },
    ],
  },
  {
    file: 'DCIM/100GOPRO/GX010104.MP4',
    recordedAt: '2026-05-15T17:10:00+01:00',
    creationTime: '2026-05-15T17:10:00Z',
    maker: 'gopro',
    gps: { lat: 55.952, lon: -3.1893, heading: 0, speed: 0.4 },
    timecode: '17:10:00:00',
    scenes: [{ id: 'station', art: 'departures', seconds: 30 }],
  },
  {
    file: 'DCIM/100MEDIA/DJI_20260515182000_0001_D.MP4',
    recordedAt: '2026-05-15T18:20:00+01:00',
    creationTime: '2026-05-15T17:20:00Z',
    maker: 'dji',
    place: { lat: 55.9443, lon: -3.1899 },
    scenes: [{ id: 'ride-home', art: 'rideEvening', seconds: 30 }],
  },
];

export const QUESTIONS: SampleQuestion[] = [
  {
    id: 'keys',
    question: 'Where did I put my keys?',
    accept: ['blue bowl'],
    evidence: ['keys'],
    answerable: true,
  },
  {
    id: 'plumber-phone',
    question: 'What is the phone number of the plumber?',
    accept: ['0131 496 0752', '01314960752'],
    evidence: ['plumber'],
    answerable: true,
  },
  {
    id: 'plumber-when',
    question: 'When is the plumber coming?',
    accept: ['19 May', 'Tuesday', '10:30'],
    evidence: ['plumber'],
    answerable: true,
  },
  {
    id: 'parcel-code',
    question: 'What was the collection code on the parcel card?',
    accept: ['4827'],
    evidence: ['parcel'],
    answerable: true,
  },
  {
    id: 'spare-keys',
    question: 'Where will Anna leave the spare keys?',
    accept: ['red flower pot'],
    evidence: ['anna'],
    answerable: true,
  },
  {
    id: 'anna-back',
    question: 'When is Anna back?',
    accept: ['Sunday'],
    evidence: ['anna'],
    answerable: true,
  },
  {
    id: 'dose',
    question: 'How many tablets did Dr. Novak tell me to take?',
    accept: ['two tablets'],
    evidence: ['clinic'],
    answerable: true,
  },
  {
    id: 'next-visit',
    question: 'When shall I come back to Dr. Novak?',
    accept: ['twenty-eighth of May', '28 May'],
    evidence: ['clinic'],
    answerable: true,
  },
  {
    id: 'pharmacy-saturday',
    question: 'Until when is the pharmacy open on Saturday?',
    accept: ['14:00', '2 pm'],
    evidence: ['pharmacy'],
    answerable: true,
  },
  {
    id: 'receipt-total',
    question: 'What was the total on the receipt?',
    accept: ['12.35'],
    evidence: ['receipt'],
    answerable: true,
  },
  {
    id: 'brake-pads',
    question: 'How much are new brake pads?',
    accept: ['thirty eight', '38'],
    evidence: ['bike-shop'],
    answerable: true,
  },
  {
    id: 'platform',
    question: 'From which platform does the train to Glasgow leave?',
    accept: ['platform 7', 'plat 7', 'glasgow 7'],
    evidence: ['station'],
    answerable: true,
  },
  {
    id: 'bridge-count',
    question: 'How often did I ride over Mill Bridge today?',
    accept: ['twice', 'two times', '2 times'],
    evidence: ['ride-out', 'ride-home'],
    all: true,
    answerable: true,
  },
  {
    id: 'doctor-when',
    question: 'When did I talk to Dr. Novak?',
    accept: ['09:05', '9:05'],
    evidence: ['clinic'],
    answerable: true,
  },
  {
    id: 'last-pharmacy',
    question: 'What did I read on the pharmacy sign?',
    accept: ['green cross'],
    evidence: ['pharmacy'],
    answerable: true,
  },
  {
    id: 'lunch',
    question: 'What did I have for lunch at the Thai restaurant?',
    accept: [],
    evidence: [],
    answerable: false,
  },
  {
    id: 'umbrella',
    question: 'Where is my umbrella?',
    accept: [],
    evidence: [],
    answerable: false,
  },
];
