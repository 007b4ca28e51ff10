import type { Font, Glyph, GlyphRun, Position, Subset } from 'fontkit'
import { create } from 'fontkit'
import * as harfbuzz from 'harfbuzzjs'

/** Makes the font for one document. Documents share the file and its parsed data. */
export type FontMaker = () => Font

type Info = { readonly id: number; readonly cluster: number; readonly advanceWidth: number }

/** Bound of glyph ids: fonts have fewer glyphs than this. */
const IDS = 0x10000
const RIGHT_TO_LEFT = /\p{Script=Arabic}/u

/**
 * Makes fonts from a file. fontkit reads the outlines and cuts the part that a document needs. HarfBuzz chooses and
 * places the glyphs: the shaper of fontkit throws on marks without an anchor, and does not support Thai and Burmese.
 */
export function createFontMaker(file: Buffer, isShaped: boolean): FontMaker {
  const font = create(file)
  if (!isShaped) return () => font
  const shaper = new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(file)))
  return () => {
    const idOf = createIds()
    return Object.assign(Object.create(font) as Font, {
      layout: (text: string) => shape(font, shaper, text, idOf),
      createSubset: () => allowCopies(font.createSubset()),
    })
  }
}

/**
 * Assigns glyph ids. A document has one text for each glyph, by which readers search and copy. Arabic letters that
 * differ in their dots share a glyph: each further text gets an id of its own, a multiple of IDS higher.
 */
function createIds(): (id: number, text: readonly number[]) => number {
  const ids = new Map<string, number>()
  const counts = new Map<number, number>()
  return (id, text) => {
    const key = `${id} ${text.join(' ')}`
    const known = ids.get(key)
    if (known !== undefined) return known
    const count = counts.get(id) ?? 0
    counts.set(id, count + 1)
    ids.set(key, id + count * IDS)
    return id + count * IDS
  }
}

/** Includes the outlines of a glyph once for each of its ids. */
function allowCopies(subset: Subset): Subset {
  const include = subset.includeGlyph.bind(subset)
  const places = new Map<number, number>()
  subset.includeGlyph = (id) => {
    if (id < IDS) return include(id)
    const place = places.get(id) ?? subset.glyphs.push(id % IDS) - 1
    places.set(id, place)
    return place
  }
  return subset
}

/** Shapes a text; the script of the letters decides the direction. */
function shape(
  font: Font,
  shaper: harfbuzz.Font,
  text: string,
  idOf: (id: number, text: readonly number[]) => number,
): GlyphRun {
  const buffer = new harfbuzz.Buffer()
  // Marks are counted apart from their letters, so that each glyph has its own character.
  buffer.setClusterLevel(harfbuzz.ClusterLevel.MONOTONE_CHARACTERS)
  buffer.addText(text)
  buffer.guessSegmentProperties()
  harfbuzz.shape(shaper, buffer)
  const infos = buffer
    .getGlyphInfos()
    .map(
      ({ codepoint: id, cluster }): Info => ({ id, cluster, advanceWidth: font.getGlyph(id).advanceWidth }),
    )
  const texts = shareOut(text, infos)
  const glyphs = infos.map((info): Glyph => {
    const codePoints = texts.get(info) ?? []
    return { id: idOf(info.id, codePoints), advanceWidth: info.advanceWidth, codePoints }
  })
  const positions = buffer
    .getGlyphPositions()
    .map(({ xAdvance, yAdvance, xOffset, yOffset }): Position => ({ xAdvance, yAdvance, xOffset, yOffset }))
  return {
    glyphs,
    positions,
    get advanceWidth() {
      return positions.reduce((width, { xAdvance }) => width + xAdvance, 0)
    },
  }
}

/**
 * Assigns its characters to each glyph. Read in the order of the glyphs, they give the text in its own order, although
 * a vowel may stand before its consonant: readers take a wide glyph without a character for a space.
 */
function shareOut(text: string, infos: readonly Info[]): Map<Info, number[]> {
  const inOrder = RIGHT_TO_LEFT.test(text) ? infos.toReversed() : infos
  const clusters = new Map<number, Info[]>()
  for (const info of inOrder) clusters.set(info.cluster, [...(clusters.get(info.cluster) ?? []), info])
  const starts = [...clusters.keys()].toSorted((a, b) => a - b)
  const texts = new Map<Info, number[]>()
  for (const [index, start] of starts.entries()) {
    const glyphs = clusters.get(start) ?? []
    const wide = glyphs.filter(({ advanceWidth }) => advanceWidth > 0)
    const holders = wide.length > 0 ? wide : glyphs.slice(0, 1)
    const characters = charactersFor(holders.length, text.slice(start, starts[index + 1]))
    for (const [place, holder] of holders.entries()) {
      const end = place === holders.length - 1 ? undefined : place + 1
      texts.set(
        holder,
        characters.slice(place, end).map((character) => character.codePointAt(0) ?? 0),
      )
    }
  }
  return texts
}

/** Splits a text into characters; a vowel with a part on either side of its consonant is decomposed. */
function charactersFor(count: number, text: string): string[] {
  const characters = Array.from(text)
  return characters.length < count ? Array.from(text.normalize('NFD')) : characters
}
