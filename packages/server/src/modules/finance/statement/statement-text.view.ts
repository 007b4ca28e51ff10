import type PDFDocument from 'pdfkit'
import type { TextRun } from '../../../lib/text/text-runs.ts'
import { isLatin, listClusters, splitRuns, toOneLine } from '../../../lib/text/text-runs.ts'
import type { Typeface } from '../../../lib/text/typefaces.ts'
import { listTypefaces, openTypeface } from '../../../lib/text/typefaces.ts'

type Document = InstanceType<typeof PDFDocument>

/** Document with the typefaces that its texts need. */
export type Paper = { readonly document: Document; readonly typefaces: readonly Typeface[] }
export type Style = { readonly size: number; readonly isBold?: boolean; readonly color?: string }

export const GREY = '#666666'
const BLACK = '#000000'
/** Height of Helvetica above the baseline, as a share of the size. All runs of a line stand on its baseline. */
const ASCENT = 0.718

/** Opens the fonts that the texts need. Latin texts need none, and read no file. */
export async function openPaper(document: Document, texts: readonly string[]): Promise<Paper> {
  if (texts.every(isLatin)) return { document, typefaces: [] }
  const typefaces = await listTypefaces()
  const runs = texts.flatMap((text) => splitRuns(toOneLine(text), typefaces))
  for (const name of new Set(runs.map(({ typeface }) => typeface))) {
    if (name !== undefined)
      document.registerFont(name, (await openTypeface(name))() as unknown as PDFKit.Mixins.PDFFontSource)
  }
  return { document, typefaces }
}

export function write(paper: Paper, words: string, x: number, y: number, style: Style): void {
  if (words === '') return
  const { document } = paper
  if (isLatin(words)) {
    setFont(document, undefined, style)
    document.text(words, x, y, { lineBreak: false })
    return
  }
  let from = x
  for (const { typeface, text } of splitRuns(toOneLine(words), paper.typefaces)) {
    setFont(document, typeface, style)
    document.text(text, from, y, { lineBreak: false, baseline: -ASCENT * style.size })
    from += document.widthOfString(text)
  }
}

export function widthOf(paper: Paper, words: string, style: Style): number {
  const runs: readonly TextRun[] = isLatin(words)
    ? [{ typeface: undefined, text: words }]
    : splitRuns(toOneLine(words), paper.typefaces)
  return runs.reduce((width, { typeface, text }) => {
    setFont(paper.document, typeface, style)
    return width + paper.document.widthOfString(text)
  }, 0)
}

/** Cuts a text that is too wide and adds an ellipsis. A letter keeps its marks. */
export function cutToFit(paper: Paper, words: string, width: number, style: Style): string {
  if (widthOf(paper, words, style) <= width) return words
  const clusters = listClusters(toOneLine(words))
  const cutAt = (count: number) => `${clusters.slice(0, count).join('')}…`
  let fits = 0
  let tooMany = clusters.length
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1
    if (widthOf(paper, cutAt(middle), style) <= width) fits = middle
    else tooMany = middle
  }
  return cutAt(fits)
}

function setFont(document: Document, typeface: string | undefined, style: Style): void {
  document
    .font(typeface ?? (style.isBold === true ? 'Helvetica-Bold' : 'Helvetica'))
    .fontSize(style.size)
    .fillColor(style.color ?? BLACK)
}
