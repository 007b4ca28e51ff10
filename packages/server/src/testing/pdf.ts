import { inflateSync } from 'node:zlib'

// Small PDF reader for tests: the text of each page, in the order in which it was drawn.

export type PdfText = {
  readonly x: number
  readonly y: number
  /** Text of the glyphs, from left to right. */
  readonly text: string
  /**
   * Right edge of the last glyph. For a standard font, whose widths are not in the file, it is the left edge of the
   * text.
   */
  readonly end: number
  /** True: some glyph is the one that a font shows for a character that it does not have. */
  readonly isMissingGlyphs: boolean
}

type PdfObject = { readonly head: string; readonly data: Buffer | undefined }
type Objects = ReadonlyMap<string, PdfObject>
/** Text and width of a glyph by its four hexadecimal digits; undefined: a standard font, with one byte per letter. */
type Alphabet = ReadonlyMap<string, { readonly text: string; readonly width: number }> | undefined

/** Returns one list per page. Throws if the file's own table of objects does not point to objects. */
export function readPdfPages(bytes: Buffer): PdfText[][] {
  const objects = readObjects(bytes)
  const alphabets = readAlphabets(objects)
  return [...objects.values()]
    .filter(({ head }) => /\/Type \/Page\s/.test(head))
    .map(({ head }) => readTexts(contentOf(objects, refOf(head, 'Contents')), alphabets))
}

/** Lists the names of the fonts whose outlines are in the file. */
export function listEmbeddedFonts(bytes: Buffer): string[] {
  return [...readObjects(bytes).values()]
    .filter(({ head }) => /\/FontFile\d? /.test(head))
    .map(({ head }) => /\/FontName \/[A-Z]{6}\+(\S+)/.exec(head)?.[1] ?? '')
    .toSorted()
}

function readObjects(bytes: Buffer): Objects {
  const file = bytes.toString('latin1')
  if (!file.startsWith('%PDF-1.') || !file.trimEnd().endsWith('%%EOF')) throw new Error('no PDF')
  const table = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(file)?.[1])
  if (!file.startsWith('xref', table)) throw new Error('startxref points to no table')
  const offsets = [...file.slice(table).matchAll(/^(\d{10}) \d{5} n/gm)].map((match) => Number(match[1]))
  return new Map(
    offsets.map((offset, index) => {
      const number = String(index + 1)
      if (!file.startsWith(`${number} 0 obj`, offset)) throw new Error(`object ${number} is not at its place`)
      return [number, readObject(bytes, file, offset)]
    }),
  )
}

function readObject(bytes: Buffer, file: string, offset: number): PdfObject {
  const end = /\sstream\r?\n|\sendobj/g
  end.lastIndex = offset
  const match = end.exec(file)
  const head = file.slice(offset, match?.index)
  if (match?.[0].includes('stream') !== true) return { head, data: undefined }
  const raw = bytes.subarray(end.lastIndex, end.lastIndex + Number(/\/Length (\d+)/.exec(head)?.[1]))
  return { head, data: head.includes('/FlateDecode') ? inflateSync(raw) : raw }
}

function refOf(head: string, key: string): string {
  return new RegExp(`/${key} (\\d+) 0 R`).exec(head)?.[1] ?? ''
}

function contentOf(objects: Objects, number: string): string {
  return objects.get(number)?.data?.toString('latin1') ?? ''
}

function readAlphabets(objects: Objects): Map<string, Alphabet> {
  const alphabets = new Map<string, Alphabet>()
  for (const { head } of objects.values()) {
    for (const [, name = '', number = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      alphabets.set(name, readAlphabet(objects, objects.get(number)?.head ?? ''))
    }
  }
  return alphabets
}

function readAlphabet(objects: Objects, head: string): Alphabet {
  const cmap = contentOf(objects, refOf(head, 'ToUnicode'))
  if (cmap === '') return undefined
  const descendant = objects.get(/\/DescendantFonts \[(\d+) 0 R/.exec(head)?.[1] ?? '')?.head ?? ''
  const widths = (/\/W \[0 \[([^\]]*)/.exec(descendant)?.[1] ?? '').split(' ').map(Number)
  return new Map(
    [...readCmap(cmap)].map(([glyph, text]) => [
      glyph,
      { text, width: widths[Number.parseInt(glyph, 16)] ?? 0 },
    ]),
  )
}

function readCmap(cmap: string): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [, first = '', list = ''] of cmap.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[(.*?)\]/g)) {
    for (const [index, entry] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries()) {
      const glyph = (Number.parseInt(first, 16) + index).toString(16).padStart(4, '0')
      texts.set(glyph, fromUtf16(Buffer.from((entry[1] ?? '').replaceAll(' ', ''), 'hex')))
    }
  }
  return texts
}

function fromUtf16(bytes: Buffer): string {
  return Buffer.from(bytes).swap16().toString('utf16le')
}

// Characters of Windows-1252 from 0x80 to 0x9f. Some versions of Node decode it as Latin-1, which has none there.
const UPPER = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

function glyphsOf(hex: string): string[] {
  return hex.match(/.{4}/g) ?? []
}

function decode(hex: string, alphabet: Alphabet): string {
  if (alphabet !== undefined)
    return glyphsOf(hex)
      .map((glyph) => alphabet.get(glyph)?.text)
      .join('')
  return Buffer.from(hex, 'hex')
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (letter) => UPPER[letter.charCodeAt(0) - 0x80] ?? letter)
}

const STEP =
  /\/(?<font>F\d+) (?<size>[\d.]+) Tf|1 0 0 1 (?<x>[-\d.]+) (?<y>[-\d.]+) Tm|\[(?<parts>[^\]]*)\] TJ/gs

function readTexts(content: string, alphabets: ReadonlyMap<string, Alphabet>): PdfText[] {
  const texts: PdfText[] = []
  let place = { x: 0, y: 0 }
  let alphabet: Alphabet
  let fontSize = 0
  for (const { groups = {} } of content.matchAll(STEP)) {
    const { font, size, x, y, parts } = groups
    if (font !== undefined) {
      alphabet = alphabets.get(font)
      fontSize = Number(size)
    }
    if (x !== undefined) place = { x: Number(x), y: Number(y) }
    if (parts !== undefined) texts.push(readGlyphs(parts, place, alphabet, fontSize))
  }
  return texts
}

function readGlyphs(
  parts: string,
  { x, y }: Pick<PdfText, 'x' | 'y'>,
  alphabet: Alphabet,
  fontSize: number,
): PdfText {
  const hex = [...parts.matchAll(/<([0-9a-f]*)>/gi)].map((part) => part[1]).join('')
  const text = decode(hex, alphabet)
  if (alphabet === undefined) return { x, y, text, end: x, isMissingGlyphs: false }
  const moved = [...parts.matchAll(/> ([-\d.]+)/g)].reduce((sum, [, by]) => sum - Number(by), 0)
  const width = glyphsOf(hex).reduce((sum, glyph) => sum + (alphabet.get(glyph)?.width ?? 0), moved)
  const isMissingGlyphs = glyphsOf(hex).includes('0000')
  return { x, y, text, end: x + (width * fontSize) / 1000, isMissingGlyphs }
}
