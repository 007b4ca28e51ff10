// Steps of a page of the handbook: its blocks of shell whose fence says `run`, each under the heading above it.

const FENCE = /^```([^\n`]*)\n([\s\S]*?)^```$/gm
const HEADING = /^##+ (.+)$/gm

export type Step = { title: string; text: string; above: string; isRun: boolean; expected: string[] }

/** Returns the blocks of shell of a page: their text, their heading, their attributes, and the words right above them. */
export function readBlocks(page: string): Step[] {
  const headings = [...page.matchAll(HEADING)]
  return [...page.matchAll(FENCE)].flatMap(({ 1: info = '', 2: text = '', index }) => {
    const [language, ...attributes] = info.trim().split(/\s+/)
    if (language !== 'sh') return []
    const title = headings.findLast((heading) => heading.index < index)?.[1] ?? ''
    const above = page.slice(0, index).trimEnd().split('\n').at(-1) ?? ''
    const expected = attributes.find((each) => each.startsWith('expect='))?.slice('expect='.length)
    return [{ title, text, above, isRun: attributes.includes('run'), expected: expected?.split('|') ?? [] }]
  })
}

/** Returns the blocks that are typed. */
export function readSteps(page: string): Step[] {
  return readBlocks(page).filter(({ isRun }) => isRun)
}

/** Says what is wrong with the result of a step; undefined: nothing is. */
export function findFault(
  { expected }: Pick<Step, 'expected'>,
  { output, status }: { output: string; status: number },
): string | undefined {
  if (status !== 0) return `a command ended with ${status}`
  if (expected.length === 0 || expected.some((text) => output.includes(text))) return undefined
  return `the output has none of: ${expected.join(', ')}`
}
