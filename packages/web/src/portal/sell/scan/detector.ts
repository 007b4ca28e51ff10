// Codes are read by the browser itself, where it can: nothing is loaded for it, and no picture leaves the device.

type Detector = { detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]> }
export type DetectorMaker = { new (): Detector }

/** Reader of codes of this browser; undefined: it has none, or no camera. */
export function detectorMaker(): DetectorMaker | undefined {
  const maker = (globalThis as { BarcodeDetector?: DetectorMaker }).BarcodeDetector
  return 'mediaDevices' in navigator ? maker : undefined
}
