export type Place = 'table' | 'shelf' | 'kitchen' | 'street' | 'park';
export type ObjectName =
  | 'cup'
  | 'book'
  | 'phone'
  | 'keys'
  | 'laptop'
  | 'sign'
  | 'bicycle'
  | 'plant'
  | 'plate'
  | 'bag';
export type Colour = 'red' | 'blue' | 'green' | 'yellow' | 'orange' | 'purple' | 'white' | 'black';
export type Word = 'STOP' | 'EXIT' | 'OPEN' | 'CAFE' | 'TAXI' | 'BANK' | 'GATE' | 'PARK';

/** Without a place the frame is dark. An object needs a colour; a sign needs a word and has count 1. */
export interface Scene {
  place?: Place;
  object?: ObjectName;
  colour?: Colour;
  count?: 1 | 2 | 3;
  word?: Word;
  people?: 0 | 1 | 2 | 3;
  /** Two hands at the lower edge; the sentence does not speak of them. */
  hands?: boolean;
  /** Decides the layout: positions, sizes, shades, clothes. Default 0. */
  seed?: number;
}

export interface RenderOptions {
  /** 0 leaves the camera still; other numbers move it a little, the same way for the same scene seed. */
  frame?: number;
  width?: number;
  height?: number;
}

export declare const VIEW_WIDTH: 320;
export declare const VIEW_HEIGHT: 180;
export declare const COLOURS: Readonly<Record<Colour, string>>;
export declare const OBJECTS: readonly ObjectName[];
export declare const PLACES: Readonly<Record<Place, { object: string; people: string; empty: string }>>;
export declare const WORDS: readonly Word[];
export declare function mulberry32(seed: number): () => number;
export declare function objectPhrase(scene: Scene): string;
export declare function clause(scene: Scene): string;
export declare function caption(scene: Scene, next?: Scene): string;
export declare function renderSceneSvg(scene: Scene, options?: RenderOptions): string;
export declare function isHeldOut(scene: Scene): boolean;
export declare function randomScene(seed: number): Scene;
