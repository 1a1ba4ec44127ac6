/** A picture in planar YUV 4:2:0, 8 bit, studio range: Y (width × height), then U and V (half width × half height each). */
export interface PlanarPicture {
  data: Uint8Array;
  /** px, even. */
  width: number;
  height: number;
}

/** An upright rectangle in px of the picture it belongs to; may reach over its edges. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** One face: eyebrows to chin, ears not included. */
export interface Face extends Box {
  /** 0..1, as the model gives it. */
  confidence: number;
}

/** Finds faces in pictures. Calls may overlap; they are answered one after the other. */
export interface FaceDetector {
  /** Stable name with version, kept with what it redacted ("blazeface-back-256"). */
  readonly name: string;
  /**
   * @param picture the pixels; not changed, and not to be changed by the caller before the promise settles
   * @param region the part to look at; it is scaled to the model's input, so small faces need small regions.
   *   The whole picture when left out
   * @returns faces in px of the whole picture, best first, overlapping ones merged
   * @throws Error when the model fails or the detector was disposed of
   */
  detect(picture: PlanarPicture, region?: Box): Promise<Face[]>;
  /** Frees the model's memory; later calls of `detect` fail. */
  dispose(): Promise<void>;
}
