import { inflateSync } from 'node:zlib'

// As much of a PDF reader as a test needs: the text of each page, in the order in which it was drawn.

export type PdfText = { readonly x: number; readonly y: number; readonly text: string }

const STREAM = /\/Length (\d+)\s(?:\/Filter \/FlateDecode\s)?>>\s+stream\r?\n/g
const TEXT = /1 0 0 1 ([-\d.]+) ([-\d.]+) Tm[\s\S]*?\[(.*?)\] TJ/g

/** One list per page; throws where the file's own table of objects does not point to objects. */
export function readPdfPages(bytes: Buffer): PdfText[][] {
  const file = bytes.toString('latin1')
  checkObjects(file)
  const pages: PdfText[][] = []
  for (const match of file.matchAll(STREAM)) {
    const from = match.index + match[0].length
    const data = bytes.subarray(from, from + Number(match[1]))
    const content = (match[0].includes('FlateDecode') ? inflateSync(data) : data).toString('latin1')
    if (content.includes('BT')) pages.push(readTexts(content))
  }
  return pages
}

// What Windows' Latin alphabet has from 0x80 to 0x9f. Some versions of Node decode it as Latin-1, which has nothing there.
const UPPER = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

function decode(hex: string): string {
  return Buffer.from(hex, 'hex')
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (letter) => UPPER[letter.charCodeAt(0) - 0x80] ?? letter)
}

function readTexts(content: string): PdfText[] {
  return [...content.matchAll(TEXT)].map(([, x, y, parts = '']) => {
    const hex = [...parts.matchAll(/<([0-9a-f]*)>/gi)].map((part) => part[1]).join('')
    return { x: Number(x), y: Number(y), text: decode(hex) }
  })
}

function checkObjects(file: string): void {
  if (!file.startsWith('%PDF-1.') || !file.trimEnd().endsWith('%%EOF')) throw new Error('no PDF')
  const table = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(file)?.[1])
  if (!file.startsWith('xref', table)) throw new Error('startxref points to no table')
  const offsets = [...file.slice(table).matchAll(/^(\d{10}) \d{5} n/gm)].map((match) => Number(match[1]))
  for (const [index, offset] of offsets.entries()) {
    if (!file.startsWith(`${index + 1} 0 obj`, offset))
      throw new Error(`object ${index + 1} is not at its place`)
  }
}
