/** Program and system that a browser names, for people who look for a session that is not theirs. */
export type Device = { readonly browser: string | null; readonly os: string | null }

type Mark = readonly [name: string, mark: RegExp]

// Order matters: most browsers also carry the marks of those that came before them.
const BROWSERS: readonly Mark[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPiOS|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+ .*\bSafari\//],
  ['curl', /^curl\//],
]

const SYSTEMS: readonly Mark[] = [
  ['Android', /\bAndroid\b/],
  ['iPadOS', /\biPad\b/],
  ['iOS', /\biPhone\b/],
  ['Windows', /\bWindows NT\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

/** Reads a User-Agent header. null: it names nothing known. Anybody can send any text, so it decides nothing. */
export function deviceOf(userAgent: string): Device {
  const nameIn = (marks: readonly Mark[]) => marks.find(([, mark]) => mark.test(userAgent))?.[0] ?? null
  return { browser: nameIn(BROWSERS), os: nameIn(SYSTEMS) }
}
