import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { FontMaker } from './shaping.ts'

// Directory of the fonts. `npm run fonts` writes them and their index.

const DIRECTORY = new URL('../../../fonts/', import.meta.url)

export type Typeface = {
  readonly name: string
  readonly covers: (codePoint: number) => boolean
}

/** First and last code point of each range, in ascending order. */
type Ranges = readonly (readonly [number, number])[]
type IndexEntry = {
  readonly name: string
  readonly file: string
  readonly isShaped: boolean
  readonly ranges: string
}

let index: Promise<readonly IndexEntry[]> | undefined
let typefaces: Promise<readonly Typeface[]> | undefined
const opened = new Map<string, Promise<FontMaker>>()

/** Lists all typefaces, in the order of preference. The first call reads the index, and no font. */
export function listTypefaces(): Promise<readonly Typeface[]> {
  typefaces ??= readIndex().then((entries) =>
    entries.map(({ name, ranges }) => ({ name, covers: coverageOf(parseRanges(ranges)) })),
  )
  return typefaces
}

/**
 * Opens a typeface. The process keeps the font: statements that are printed at the same time must not hold a copy each.
 */
export function openTypeface(name: string): Promise<FontMaker> {
  const font = opened.get(name) ?? openFont(name)
  opened.set(name, font)
  return font
}

async function openFont(name: string): Promise<FontMaker> {
  const entry = (await readIndex()).find((candidate) => candidate.name === name)
  if (entry === undefined) throw new Error(`no typeface ${name}`)
  // The module is imported with the first font: most processes never print a name that needs one.
  const { createFontMaker } = await import('./shaping.ts')
  return createFontMaker(await readFont(entry.file), entry.isShaped)
}

/** Reads the TrueType file. Decompression runs outside the thread of the event loop. */
export async function readFont(file: string): Promise<Buffer> {
  return promisify(brotliDecompress)(await readFile(new URL(file, DIRECTORY)))
}

function readIndex(): Promise<readonly IndexEntry[]> {
  index ??= readFile(new URL('index.json', DIRECTORY), 'utf8').then(
    (text) => (JSON.parse(text) as { typefaces: IndexEntry[] }).typefaces,
  )
  return index
}

function parseRanges(text: string): Ranges {
  return text.split(' ').map((range) => {
    const [first = '', last = first] = range.split('-')
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
  })
}

function coverageOf(ranges: Ranges): (codePoint: number) => boolean {
  return (codePoint) => {
    let low = 0
    let high = ranges.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ranges[middle]?.[1] ?? 0) < codePoint) low = middle + 1
      else high = middle
    }
    return (ranges[low]?.[0] ?? Number.POSITIVE_INFINITY) <= codePoint
  }
}
