import createBidi from 'bidi-js/dist/bidi.mjs'
import type { Typeface } from './typefaces.ts'

/** Text of one typeface and one direction. */
export type TextRun = {
  /** Name of the typeface; undefined for the standard Latin font, which every reader of PDF has. */
  readonly typeface: string | undefined
  /** Characters in the order in which a shaper expects them. */
  readonly text: string
}

/** Grapheme cluster: a letter with its marks, which must never be separated. */
type Cluster = {
  readonly text: string
  readonly typeface: Typeface | undefined
  readonly level: number
}
type Piece = { text: string; readonly typeface: Typeface | undefined; readonly level: number }

/** Replacement for a character that no typeface has. */
export const BOX = '□'

// Windows' Latin alphabet: the standard fonts of PDF have these characters and no others.
const LATIN = /^[\x20-\x7e\xa1-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/u
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]|(?!\u3000)\p{Zs}/gu
// Overrides are removed: a name must not reverse the text beside it.
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g
const LONE_SURROGATE = /\p{Cs}/gu
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
// Arabic is reversed by the shaper. No typeface has another script that runs from right to left.
const REVERSED_BY_SHAPER = /\p{Script=Arabic}/u
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
// Joiners choose between forms of a letter; the shaper removes them.
const INVISIBLE_BUT_JOINERS = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu

// Made at the first text: Node reads tables for each of them, and most processes print nothing.
let segmenter: Intl.Segmenter | undefined
let bidi: ReturnType<typeof createBidi> | undefined

/** Turns a text into one line: composed characters, spaces for breaks and controls, no directional overrides. */
export function toOneLine(text: string): string {
  return text.normalize('NFC').replace(LONE_SURROGATE, '\ufffd').replace(BREAKS, ' ').replace(OVERRIDES, '')
}

/** Tells whether the standard fonts can show all of it. */
export function isLatin(line: string): boolean {
  return LATIN.test(line)
}

export function listClusters(line: string): string[] {
  return Array.from(clustersOf(line), ({ segment }) => segment)
}

function clustersOf(line: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(line)
}

/**
 * Splits a line into runs from left to right, ordered by the Unicode Bidirectional Algorithm. The first strong letter
 * decides the direction of the line.
 */
export function splitRuns(line: string, typefaces: readonly Typeface[]): TextRun[] {
  if (isLatin(line)) return line === '' ? [] : [{ typeface: undefined, text: line }]
  return orderPieces(joinClusters(keepWordsTogether(assignTypefaces(line, typefaces))))
    .flatMap(orient)
    .map(({ typeface, text }) => ({ typeface: typeface?.name, text }))
}

function assignTypefaces(line: string, typefaces: readonly Typeface[]): Cluster[] {
  const levels = levelsOf(line)
  const clusters: Cluster[] = []
  let present: Typeface | undefined
  for (const { segment, index } of clustersOf(line)) {
    const level = levels?.[index] ?? 0
    const visible = segment.replace(INVISIBLE, '')
    if (visible === '') continue
    if (isLatin(visible)) {
      clusters.push({ text: visible, typeface: undefined, level })
      continue
    }
    const typeface = findTypeface(visible, present, typefaces)
    present = typeface ?? present
    const text = segment.replace(INVISIBLE_BUT_JOINERS, '')
    clusters.push(
      typeface === undefined
        ? { text: BOX, typeface: findTypeface(BOX, undefined, typefaces), level }
        : { text, typeface, level },
    )
  }
  return clusters
}

/**
 * Gives a word's Latin letters the typeface of its other letters where that has them: two designs within a word are
 * ugly.
 */
function keepWordsTogether(clusters: readonly Cluster[]): Cluster[] {
  const together: Cluster[] = []
  for (let from = 0; from < clusters.length; ) {
    let to = from + 1
    while (to < clusters.length && clusters[to]?.text !== ' ' && clusters[from]?.text !== ' ') to += 1
    const word = clusters.slice(from, to)
    const others = new Set(word.map(({ typeface }) => typeface))
    for (const cluster of word) {
      const typeface =
        cluster.typeface ?? [...others].find((other) => other !== undefined && coversAll(other, cluster.text))
      together.push({ ...cluster, typeface })
    }
    from = to
  }
  return together
}

/** Finds a typeface and prefers the present one: punctuation that several have stays with the letters before it. */
function findTypeface(
  visible: string,
  present: Typeface | undefined,
  typefaces: readonly Typeface[],
): Typeface | undefined {
  if (present !== undefined && coversAll(present, visible)) return present
  return typefaces.find((typeface) => coversAll(typeface, visible))
}

function coversAll({ covers }: Typeface, text: string): boolean {
  return Array.from(text).every((character) => covers(character.codePointAt(0) ?? 0))
}

function levelsOf(line: string): Uint8Array | undefined {
  if (!RIGHT_TO_LEFT.test(line)) return undefined
  bidi ??= createBidi()
  return bidi.getEmbeddingLevels(line, 'auto').levels
}

function joinClusters(clusters: readonly Cluster[]): Piece[] {
  const pieces: Piece[] = []
  for (const { text, typeface, level } of clusters) {
    const last = pieces.at(-1)
    if (last?.typeface === typeface && last?.level === level) last.text += text
    else pieces.push({ text, typeface, level })
  }
  return pieces
}

/** Orders pieces by rule L2: from the highest level down to 1, every sequence of that level or higher is reversed. */
function orderPieces(pieces: readonly Piece[]): Piece[] {
  const ordered = [...pieces]
  const highest = Math.max(0, ...pieces.map(({ level }) => level))
  for (let level = highest; level > 0; level -= 1) {
    let from = 0
    while (from < ordered.length) {
      let to = from
      while ((ordered[to]?.level ?? -1) >= level) to += 1
      if (to > from) ordered.splice(from, to - from, ...ordered.slice(from, to).reverse())
      from = to + 1
    }
  }
  return ordered
}

/**
 * Reverses pieces that the shaper would get wrong: it decides by the script of the letters whether it reverses a text,
 * and does not know levels.
 */
function orient(piece: Piece): Piece[] {
  const isReversedByShaper = REVERSED_BY_SHAPER.test(piece.text)
  const isRightToLeft = piece.level % 2 === 1
  if (isReversedByShaper === isRightToLeft) return [piece]
  const clusters = listClusters(piece.text)
  // Digits belong to the Arabic script but run from left to right. A single digit has no order.
  if (isReversedByShaper) return clusters.map((text) => ({ ...piece, text }))
  const mirrored = clusters.reverse().map((cluster) => mirror(cluster, piece.typeface))
  return [{ ...piece, text: mirrored.join('') }]
}

/** Returns the mirror image of a bracket or sign. A sign whose image the typeface does not have stays as it is. */
function mirror(cluster: string, typeface: Typeface | undefined): string {
  bidi ??= createBidi()
  const image = bidi.getMirroredCharacter(cluster)
  if (image === null) return cluster
  return (typeface === undefined ? isLatin(image) : coversAll(typeface, image)) ? image : cluster
}
