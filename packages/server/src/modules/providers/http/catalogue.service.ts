import { setImmediate } from 'node:timers/promises'
import { withDeadline } from '../../../outbound/deadline.ts'
import type { Catalogue } from '../language/catalogue.rules.ts'
import { parseExactJson } from '../language/numbers.rules.ts'
import { textAt } from '../language/paths.rules.ts'
import type { CatalogueCapability, CataloguePage, SupplierOffer } from '../port/types.ts'
import type { Ask, Asked } from './client.service.ts'
import type { HttpConfig } from './config.rules.ts'
import { messageAt } from './mapping.rules.ts'
import type { ReadOffers } from './offers.rules.ts'
import { readElement } from './offers.rules.ts'
import { splitList } from './pieces.rules.ts'
import type { Hidden } from './redaction.rules.ts'
import { redact } from './redaction.rules.ts'

// The supplier's list of offers, page by page.

/** A list of 20,000 offers in one answer. */
const PAGE_BYTES_MAX = 32 * 1_024 * 1_024
const PAGE_MS = 60_000
/** Longest answer that is looked through for the supplier's words when it has no list. */
const WORDS_BYTES_MAX = 1_024 * 1_024
const RETRY_MS = 30_000
/** Time after which other work has its turn. */
const TURN_MS = 10

type Answered = Extract<Asked, { kind: 'answered' }>

/** Place of a page: what is sent as its name, and the number of entries, or of values, before it. */
type Cursor = { readonly page: string | null; readonly before: number }

/** Makes the capability of a configuration that says how the list is read. */
export function createCatalogue(
  { catalogue: given, currency }: Pick<HttpConfig, 'catalogue' | 'currency'>,
  ask: Ask,
  hidden: Hidden,
): { readonly catalogue?: CatalogueCapability } {
  if (given === null) return {}
  const catalogue = { ...given, currency }
  return {
    catalogue: {
      async readPage(cursor, signal): Promise<CataloguePage> {
        const place = cursor === null ? firstPlace(catalogue) : placeOf(cursor)
        if (place === undefined) return unavailable(catalogue, 'the place in the list is not of this list')
        const { pages, request } = catalogue
        const size = pages !== null && 'size' in pages ? String(pages.size) : null
        const question = {
          request,
          values: { page: place.page, page_size: size },
          isNamed: false,
          bytesMax: PAGE_BYTES_MAX,
        }
        const asked = await withDeadline(PAGE_MS, signal, (end) => ask(question, end))
        if (asked.kind !== 'answered') return redact(unavailable(catalogue, asked.reason), hidden())
        const secrets = [...hidden(), ...asked.made]
        return redact(await pageOf(catalogue, asked, place, secrets), secrets)
      },
    },
  }
}

function unavailable({ waitMs }: Catalogue, reason: string, retryAfterMs = 0): CataloguePage {
  return { kind: 'unavailable', reason, retryAfterMs: Math.max(waitMs, RETRY_MS, retryAfterMs) }
}

// ── The answer ──

const OK = 200
const RETRY_S_MAX = 3_600

type OwnCatalogue = Catalogue & Pick<HttpConfig, 'currency'>

async function pageOf(
  catalogue: OwnCatalogue,
  answer: Answered,
  place: Cursor,
  secrets: readonly string[],
): Promise<CataloguePage> {
  const { status, headers, body } = answer
  const waitS = /^\d{1,6}$/.test(headers['retry-after'] ?? '') ? Number(headers['retry-after']) : 0
  const refused = (reason: string) => unavailable(catalogue, reason, Math.min(waitS, RETRY_S_MAX) * 1_000)
  if (status !== OK) return refused(`the supplier answered ${status}${wordsIn(catalogue, body)}`)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    const read = await inTurns(readList(catalogue, text))
    if (read === undefined) return refused(`the answer has no list${wordsIn(catalogue, body)}`)
    const next = nextPlace(catalogue, place, { ...read, headers })
    if (next === 'short') return refused('the list ended before its end')
    const { kept, withheld } = withoutSecrets(read.offers, secrets)
    return {
      kind: 'page',
      offers: kept,
      unread: [...read.unread, ...withheld],
      next: next === null ? null : JSON.stringify([next.page, next.before]),
      waitMs: catalogue.waitMs,
    }
  } catch (problem) {
    if (problem instanceof SyntaxError || problem instanceof TypeError)
      return refused('the answer is not JSON')
    throw problem
  }
}

type ReadList = ReadOffers & { readonly count: number; readonly rest: unknown }

function* readList(
  { response, currency }: OwnCatalogue,
  text: string,
): Generator<void, ReadList | undefined> {
  const split = yield* splitList(text, response.list[0] ?? [])
  if (split === undefined) return undefined
  const found: ReadOffers = { offers: [], unread: [] }
  const outer = { json: split.rest, outer: null }
  for (const [at, [from, to]] of split.elements.entries()) {
    const json = parseExactJson(text.slice(from, to))
    yield* readElement({ ...response, currency }, { json, outer }, String(at), found)
    yield
  }
  return { ...found, count: split.elements.length, rest: split.rest }
}

/** Works to the end, and gives other work its turn on the way. */
async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  let begunMs = performance.now()
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    if (performance.now() - begunMs < TURN_MS) continue
    await setImmediate()
    begunMs = performance.now()
  }
}

/** Returns the supplier's words in an answer without a list. */
function wordsIn({ response }: Catalogue, body: Buffer): string {
  if (body.length > WORDS_BYTES_MAX) return ''
  try {
    const words = messageAt(parseExactJson(body.toString()), response.reason)
    return words === undefined ? '' : `: ${words}`
  } catch {
    return ''
  }
}

/** Minimum length of a secret that is looked for; a shorter one is in a list of thousands of names by chance. */
const SECRET_MIN = 8

/** Withholds offers that quote a secret of ours. */
function withoutSecrets(offers: readonly SupplierOffer[], secrets: readonly string[]) {
  const long = secrets.filter(({ length }) => length >= SECRET_MIN)
  const isTold = ({ face, cost, ...offer }: SupplierOffer) => {
    const text = JSON.stringify(offer)
    return long.some((secret) => text.includes(secret))
  }
  const told = new Set(long.length === 0 ? [] : offers.filter(isTold))
  return {
    kept: offers.filter((each) => !told.has(each)),
    withheld: [...told].map(() => 'an entry with a secret'),
  }
}

// ── Pages ──

function firstPlace({ pages }: Catalogue): Cursor {
  if (pages === null) return { page: null, before: 0 }
  if (pages.type === 'values') return { page: pages.values[0] ?? null, before: 0 }
  if (pages.type === 'offset') return { page: '0', before: 0 }
  return { page: pages.first === null ? null : String(pages.first), before: 0 }
}

function placeOf(cursor: string): Cursor | undefined {
  try {
    const [page, before] = JSON.parse(cursor) as readonly unknown[]
    const isPlace = typeof page === 'string' && Number.isSafeInteger(before)
    return isPlace ? { page, before: Number(before) } : undefined
  } catch {
    return undefined
  }
}

type Page = Pick<ReadList, 'count' | 'rest'> & Pick<Answered, 'headers'>

/** Returns the place of the next page, null after the last one; `short`: entries are missing that the answer counts. */
function nextPlace({ pages }: Catalogue, { page, before }: Cursor, { count, rest, headers }: Page) {
  const after = before + count
  switch (pages?.type) {
    case undefined:
      return null
    case 'values': {
      const value = pages.values[before + 1]
      return value === undefined ? null : { page: value, before: before + 1 }
    }
    case 'header':
      return named(headers[pages.header.toLowerCase()], after)
    case 'path':
      return named(textAt(rest, pages.path), after)
    case 'number':
    case 'offset': {
      const total = pages.total === null ? undefined : textAt(rest, pages.total)
      const isCounted = total !== undefined && /^\d{1,9}$/.test(total)
      if (isCounted && after >= Number(total)) return null
      if (count === 0) return isCounted ? 'short' : null
      return { page: pages.type === 'offset' ? String(after) : String(Number(page) + 1), before: after }
    }
  }
}

function named(page: string | undefined, before: number): Cursor | null {
  const name = page?.trim() ?? ''
  return name === '' || name === 'false' ? null : { page: name, before }
}
