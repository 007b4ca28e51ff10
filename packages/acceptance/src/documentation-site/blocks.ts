import { readFileSync } from 'node:fs'

/** Block of code in a page, as it is printed. Its fence says what to do with it: "sh run expect=200". */
export type Block = {
  readonly language: string
  readonly text: string
  /** True: it is run, in its language. */
  readonly isRun: boolean
  /** Name under which the reader saves it. */
  readonly file: string | undefined
  /** Texts that its output must have; each may be a choice, separated by `|`. */
  readonly expected: readonly string[]
  /** Text that its output has in the end: the reader runs it again until then. */
  readonly until: string | undefined
}

const ROOT = new URL('../../../../', import.meta.url)
/** Link to a file whose code the site shows in its place, under a mark that has the fence. */
const SHOWN = /^<!-- code: (.+) -->\n\[[^\]]*\]\(([^)]+)\)$/gm
const FENCE = /^```([^\n`]+)\n([\s\S]*?)^```$/gm

export function readPage(path: string): string {
  const page = new URL(path, ROOT)
  return readFileSync(page, 'utf8').replace(
    SHOWN,
    (_whole, fence: string, href: string) =>
      `\`\`\`${fence}\n${readFileSync(new URL(href, page), 'utf8')}\`\`\``,
  )
}

/** Reads the blocks of a page in their order. */
export function blocksOf(path: string): Block[] {
  return blocksIn(readPage(path))
}

/** Reads the blocks of a page's text in their order. */
export function blocksIn(page: string): Block[] {
  return [...page.matchAll(FENCE)].map(([, info = '', text = '']) => {
    const [language = '', ...attributes] = info.trim().split(/\s+/)
    const attribute = (name: string) =>
      attributes.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1)
    return {
      language,
      text,
      isRun: attributes.includes('run'),
      file: attribute('file'),
      expected: attribute('expect')?.split(',') ?? [],
      until: attribute('until'),
    }
  })
}

export type SigningCase = {
  readonly name: string
  readonly secret: string
  readonly method: string
  readonly query: string
  readonly body: Buffer
  readonly timestamp: string
  readonly nonce: string
  readonly canonicalString: string
  readonly signature: string
}

type StoredCase = {
  name: string
  secret: string
  method: string
  query: string
  body: null | { utf8?: string; base64?: string; generator?: { byte: number; length: number } }
  timestamp: string
  nonce: string
  canonical_string: string
  signature: string
  verifies: boolean
  reading: { encoding: string; empties: string; repeats: string } | null
}

const BODY_MAX = 100_000

/** Golden cases in the contract's own reading of the query: those that a new client must reproduce. */
export function signingCases(): SigningCase[] {
  const { cases } = JSON.parse(readPage('vectors/signing.json')) as { cases: StoredCase[] }
  return (
    cases
      .filter(({ verifies, reading }) => verifies && isContracts(reading))
      // These clients hash nothing although they send a body.
      .filter(({ name }) => !name.includes('not-hashed'))
      .map(({ canonical_string, body, ...rest }) => ({
        ...rest,
        body: bytesOf(body),
        canonicalString: canonical_string,
      }))
      .filter(({ body }) => body.length <= BODY_MAX)
  )
}

function isContracts(reading: StoredCase['reading']): boolean {
  return reading?.encoding === 'wire' && reading.empties === 'dropped' && reading.repeats === 'sent'
}

function bytesOf(body: StoredCase['body']): Buffer {
  if (body === null) return Buffer.alloc(0)
  if (body.utf8 !== undefined) return Buffer.from(body.utf8, 'utf8')
  if (body.base64 !== undefined) return Buffer.from(body.base64, 'base64')
  return Buffer.alloc(body.generator?.length ?? 0, body.generator?.byte ?? 0)
}
