export type Block =
  | { readonly kind: 'heading' | 'text' | 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly isNumbered: boolean; readonly items: readonly string[] }
  /** Rows without the head: two columns read as terms and what they mean. */
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }

const FENCE = /^```/
const HEADING = /^#{2,6} +(.*)$/
const TITLE = /^# /
const ITEM = /^(?:[-*]|(\d+)\.) +(.*)$/
const ROW = /^\|(.*)\|\s*$/

/** Reads the Markdown of our own pages: headings, paragraphs, lists, tables and code. The title is left out. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    const takeWhile = (isMeant: (line: string) => boolean): string[] => {
      const from = at
      while (at < lines.length && isMeant(lines[at] ?? '')) at += 1
      return lines.slice(from, at)
    }
    const heading = HEADING.exec(line)?.[1]
    if (FENCE.test(line)) {
      at += 1
      blocks.push({ kind: 'code', text: takeWhile((each) => !FENCE.test(each)).join('\n') })
      at += 1
    } else if (ITEM.test(line)) {
      const items = takeWhile((each) => ITEM.test(each)).map((each) => ITEM.exec(each)?.[2] ?? '')
      blocks.push({ kind: 'list', isNumbered: ITEM.exec(line)?.[1] !== undefined, items })
    } else if (ROW.test(line)) {
      const [, , ...rows] = takeWhile((each) => ROW.test(each)).map(cellsOf)
      blocks.push({ kind: 'table', rows })
    } else if (heading !== undefined) {
      blocks.push({ kind: 'heading', text: heading })
      at += 1
    } else if (line.trim() === '' || TITLE.test(line)) {
      at += 1
    } else {
      blocks.push({ kind: 'text', text: takeWhile(isPlain).join(' ') })
    }
  }
  return blocks
}

function isPlain(line: string): boolean {
  return line.trim() !== '' && ![FENCE, HEADING, TITLE, ITEM, ROW].some((form) => form.test(line))
}

function cellsOf(line: string): string[] {
  return (ROW.exec(line)?.[1] ?? '').split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, '|'))
}

type Piece =
  | { readonly kind: 'text' | 'code' | 'strong'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly to: string }

const PIECE = /(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/
const LINK = /^\[([^\]]+)\]\(([^)\s]+)\)$/

/** Divides a line into its pieces. A link that leads to another file of the checkout is its text alone. */
export function piecesOf(text: string): Piece[] {
  return text
    .split(PIECE)
    .filter((part) => part !== '')
    .map((part): Piece => {
      const [, label = '', to = ''] = LINK.exec(part) ?? []
      if (label !== '')
        return /^https?:/.test(to) ? { kind: 'link', text: label, to } : { kind: 'text', text: label }
      if (PIECE.test(part) && part.startsWith('`')) return { kind: 'code', text: part.slice(1, -1) }
      if (PIECE.test(part) && part.startsWith('**')) return { kind: 'strong', text: part.slice(2, -2) }
      return { kind: 'text', text: part }
    })
}
