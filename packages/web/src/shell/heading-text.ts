/** Part of the document as far as its text is read. */
export type TextNode = {
  readonly nodeName: string
  readonly nodeValue: string | null
  readonly childNodes: Iterable<TextNode>
  readonly getAttribute?: (name: string) => string | null
}

const SILENT = new Set(['SVG', 'BUTTON'])
/** Digits beyond the sen stand in an element of their own, and belong to the amount before them. */
const CONTINUING = 'U'

/** Returns the text of a heading in one line: parts that only their looks keep apart get a space between them. */
export function headingText(heading: TextNode): string {
  let text = ''
  let isContinued = false
  const read = (node: TextNode) => {
    if (node.nodeValue !== null) {
      const needsSpace = !isContinued && /[\p{L}\p{N}]$/u.test(text) && /^[\p{L}\p{N}]/u.test(node.nodeValue)
      text += needsSpace ? ` ${node.nodeValue}` : node.nodeValue
      return
    }
    const name = node.nodeName.toUpperCase()
    if (SILENT.has(name) || node.getAttribute?.('aria-hidden') === 'true') return
    isContinued = name === CONTINUING
    for (const each of node.childNodes) read(each)
    isContinued = false
  }
  read(heading)
  return text.replace(/\s+/g, ' ').trim()
}
