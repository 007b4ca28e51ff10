import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { demoCatalog } from '../../../packages/server/src/demo/catalog/catalog.ts'
import { STANDARD } from '../../../packages/server/src/modules/catalog/texts/ms.rules.ts'
import { saying } from '../../../packages/server/src/modules/catalog/texts/saying.rules.ts'
import { REJECTION_GUIDES } from '../../../packages/server/src/modules/payments/core/rejections.rules.ts'
import { readProject } from '../structure/project.ts'

// The Malay texts are held to docs/malay.md, and to having been translated at all.

const ROOT = new URL('../../..', import.meta.url)

/** Lists the words of the column "Not", each with the Malay word of its row. */
function listForbidden() {
  const rows = readFileSync(new URL('docs/malay.md', ROOT), 'utf8').matchAll(/^\| (.+) \|$/gm)
  const cells = [...rows].map(([, row = '']) => row.split(' | ')).slice(1)
  return cells.flatMap(([, malay, not = '']) => not.split(', ').map((word) => ({ word, malay })))
}

/** Words of English that no Malay text has, outside of code, names and quotations of the wire. */
const ENGLISH =
  /\b(the|and|of|is|are|was|were|this|that|these|with|without|your|you|not|for|from|has|have|been|be|will|cannot|must|payment|balance|account|amount|customer|number|please|order|orders|password|failed|success|enter|choose|show)\b/i

/** Text that is left as it is: code between backticks, paths, addresses, tokens and names of settings. */
const CODE = /`[^`]*`|\bhttps?:\/\/\S+|\/\S+|\S*_\S*|\S+\.\S+|\b[A-Z]{2,}\b|<[^>]*>|"[^"]*"/g

const wordsOf = (text: string) => text.replace(CODE, ' ')

/** Text that takes values: the test gives it numbers. */
type Message = (...values: number[]) => unknown
type Texts = { [name: string]: string | Message | Texts }

/** Reads the words of a text that takes values: they are written as digits, which no word is. */
function written(message: Message) {
  const texts: string[] = []
  for (const value of [1, 2]) {
    try {
      texts.push(String(message(value, value, value, value)))
    } catch {
      // The text takes a date, or a record: its literal words are read from its source.
      texts.push(
        [...String(message).matchAll(/[`']([^`']*)[`']/g)]
          .map(([, part = '']) => part.replace(/\$\{.*?\}/g, ' '))
          .join(' '),
      )
    }
  }
  return texts.join(' ')
}

function* listTexts(messages: Texts, path = ''): Generator<[place: string, words: string]> {
  for (const [name, message] of Object.entries(messages)) {
    if (typeof message === 'string') yield [`${path}${name}`, message]
    else if (typeof message === 'function') yield [`${path}${name}`, written(message)]
    else yield* listTexts(message, `${path}${name}.`)
  }
}

/** Returns the Malay texts of an export that is a dictionary. */
function malayOf(each: unknown) {
  return typeof each === 'object' && each !== null && 'ms' in each ? (each.ms as Texts) : undefined
}

/** Lists every Malay text of the dashboard, the checkout and their forms by its place. */
async function listMalay() {
  const project = readProject(fileURLToPath(ROOT))
  const found: [place: string, words: string][] = []
  vi.stubGlobal('document', { documentElement: { lang: 'ms' } })
  try {
    for (const { path, text } of project.list(/^packages\/(web|checkout|forms)\/src\/.*\.ts$/)) {
      if (!text.includes('defineMessages(') || path.endsWith('text/language.ts')) continue
      const module = (await import(new URL(path, ROOT).href)) as Record<string, unknown>
      for (const [name, each] of Object.entries(module)) {
        for (const [place, words] of listTexts(malayOf(each) ?? {}))
          found.push([`${path} ${name}.${place}`, words])
      }
    }
  } finally {
    vi.unstubAllGlobals()
  }
  return found
}

it('no Malay text has a word that the table of words forbids', async () => {
  const forbidden = listForbidden()
  expect(forbidden.length).toBeGreaterThan(20)
  const texts = await listMalay()
  expect(texts.length).toBeGreaterThan(2_000)
  const wrong = texts.flatMap(([place, words]) =>
    forbidden
      .filter(({ word }) => new RegExp(`\\b${word}(nya)?\\b`, 'i').test(wordsOf(words)))
      .map(({ word, malay }) => `${place}: ${malay}, not ${word}`),
  )
  expect(wrong).toEqual([])
})

it('no page shows the remarks or the note of a payment as the service wrote them', () => {
  const project = readProject(fileURLToPath(ROOT))
  const pages = project.list(/^packages\/web\/src\/.*\.tsx$/)
  expect(pages.length).toBeGreaterThan(100)
  const raw = pages.flatMap(({ path, text }) => {
    const rest = text.replace(/\b(?:say|standard)\([\w.]+\)|payment\.\w+ === ''/g, '')
    const shown = rest.matchAll(/payment\.(?:remarks|note)\b|\{remarks\b[^}]*\}\s*<\/PageLink>/g)
    return [...shown].map(([each]) => [path, each])
  })
  expect(raw).toEqual([])
})

type Remarks = {
  refusalText(refusal: { token: string; message: string }): string
  REMARKS: { ms: Record<string, string> }
}

/** Imports texts of the dashboard. They speak to a browser, which the types of the tests do not know. */
async function importRemarks() {
  return (await import(new URL('packages/web/src/text/remarks.ts', ROOT).href)) as Remarks
}

it('a refusal of the service is read in Malay: by its text where it is known, else by its reason', async () => {
  // Texts are in the language of the page that imported them first, which may have been another test's.
  vi.resetModules()
  vi.stubGlobal('document', { documentElement: { lang: 'ms' } })
  try {
    const { refusalText } = await importRemarks()
    const said = (token: string, message: string) => refusalText({ token, message })
    expect(said('Invalid_Account', 'Enter a mobile number such as 60123456789')).toMatch(/^Masukkan/)
    expect(said('Insufficient_Balance', 'The balance is too low.')).toBe('Baki dompet tidak mencukupi.')
    expect(said('Own_Token', 'Own words')).toBe('Own words')
  } finally {
    vi.unstubAllGlobals()
  }
})

/** Texts that speak English on purpose: the other language, and the names of columns and statuses in files. */
const IN_ENGLISH =
  /SHELL\.language$|WALLET\.fileHint$|BULK\.columns$|DESIGN\.sampleSecret$|RECONCILIATION\.columns\.status$|HELP\.mistakes\.byte_order_mark$/

it('no English is left in a Malay text', async () => {
  const texts = await listMalay()
  const left = texts.filter(([place, words]) => !IN_ENGLISH.test(place) && ENGLISH.test(wordsOf(words)))
  expect(left.map(([place, words]) => `${place}: ${words}`)).toEqual([])
})

it('every text of the demo catalogue is read in Malay, and every reason of a rejection', async () => {
  const { products, groups, categories } = demoCatalog()
  const texts = products.flatMap(({ note, fields }) => [
    note,
    ...fields.flatMap(({ label, validation }) => [label, validation.message]),
  ])
  const names = [...groups, ...categories].map(({ name }) => name)
  const shown = [...new Set([...texts, ...names])].filter(
    (text): text is string => typeof text === 'string' && text !== '',
  )
  expect(shown.length).toBeGreaterThan(60)
  const same = new Set(['Gas', 'eSIM'])
  const say = saying(STANDARD)
  expect(shown.filter((text) => say(text) === text && !same.has(text))).toEqual([])
  vi.stubGlobal('document', { documentElement: { lang: 'ms' } })
  try {
    const { REMARKS } = await importRemarks()
    const reasons = Object.values(REJECTION_GUIDES).map(({ remarks }) => remarks)
    expect(reasons.filter((remarks) => !Object.hasOwn(REMARKS.ms, remarks))).toEqual([])
  } finally {
    vi.unstubAllGlobals()
  }
})
