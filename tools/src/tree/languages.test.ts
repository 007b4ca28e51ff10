import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'
import { rolldown } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'
import { expect, it, vi } from 'vitest'

// English is with the pages, and every other language in a file of its own, for its readers alone.

const ROOT = new URL('../../..', import.meta.url)

type Parts = {
  languages(): Plugin
  englishOf(code: string, program: unknown): string
  malayOf(code: string, program: unknown): string
  listCalls(program: unknown): readonly { readonly name: string; readonly written: string | undefined }[]
  listDictionaries(entry: string): readonly string[]
}

/** Part of the dashboard's build, which has types of its own. */
const parts = (await import(new URL('packages/web/languages.ts', ROOT).href)) as Parts

const parse = (code: string) => parseAst(code, { lang: 'tsx' })

it('a module of texts has English alone, and its twin Malay alone, under the same names', () => {
  const code = `
    const WORDS = defineMessages({ en: { a: 'One' }, ms: { a: 'Satu' } })
    export const MORE = defineMessages({ en: { ...WORDS.en, b: 'Two' }, ms: { ...WORDS.ms, b: 'Dua' } })
    export const { State } = stateTable({}, defineMessages({ en: { c: 'Three' }, ms: { c: 'Tiga' } }, 'STATES'))`
  const english = parts.englishOf(code, parse(code))
  expect(english).not.toMatch(/Satu|Dua|Tiga|\bms\b/)
  expect(english).toContain("{ en: { a: 'One' } }, 'WORDS')")
  expect(english).toContain("{ c: 'Three' } }, 'STATES')")
  const malay = parts.malayOf(code, parse(code))
  expect(malay).not.toMatch(/One|Two|Three|\ben\b/)
  const run = new Function('stateTable', `${malay.replaceAll('export ', '')}; return malay`)
  const texts: unknown = run(() => ({}))
  expect(texts).toEqual({ WORDS: { a: 'Satu' }, MORE: { a: 'Satu', b: 'Dua' }, STATES: { c: 'Tiga' } })
})

function namesIn(path: string): readonly string[] {
  return parts.listCalls(parse(readFileSync(path, 'utf8'))).map(({ name, written }) => written ?? name)
}

it('no two dictionaries of an entry have the same name', () => {
  for (const entry of ['portal', 'operator']) {
    const names = parts.listDictionaries(entry).flatMap(namesIn)
    expect(names.length).toBeGreaterThan(30)
    expect(names.filter((name) => name === '')).toEqual([])
    expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([])
  }
})

type Pack = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Builds the Malay pack of an entry by itself, and reads it. */
async function readPack(entry: string): Promise<Pack> {
  const input = `virtual:malay/${entry}`
  const build = await rolldown({
    input,
    plugins: [parts.languages()],
    platform: 'browser',
    logLevel: 'silent',
  })
  const file = join(mkdtempSync(join(tmpdir(), 'warung-languages-')), 'pack.mjs')
  await build.write({ format: 'esm', file, codeSplitting: false })
  await build.close()
  return ((await import(file)) as { readonly default: Pack }).default
}

it('the Malay pack of an entry has the texts of every dictionary of it', async () => {
  vi.stubGlobal('document', { documentElement: { lang: 'en' } })
  try {
    for (const entry of ['portal', 'operator']) {
      const pack = await readPack(entry)
      expect(Object.keys(pack).length).toBe(parts.listDictionaries(entry).flatMap(namesIn).length)
      expect(pack.WORDS?.amount).toBe('Amaun')
      expect(pack.STATES).toBeDefined()
    }
  } finally {
    vi.unstubAllGlobals()
  }
})

type Texts = { readonly [name: string]: unknown }

/** Texts that are the same on purpose: names, wire words, codes and signs. */
const SAME =
  /^(WORDS\.refid|.*\.(refid|url|csv|pdf|exportXlsx|exportPdf|portalTitle|pin|whatsapp|fileName|id|sampleAccount|samplePrice|webhooks|callback|zone|deliveries|margin|marginWord|logo|account|email|total|status|system|passkeys|admin|widths\..*|authors\.system|signedInWith\.passkey|font|fonts\..*|label|fields\..*|parts\..*|operator|alphabet|deposit|deposits|ms|payment|of|ofKey|user|details|reseller|statusFilter|orders))$/

function* listTexts(texts: Texts, path: string): Generator<readonly [place: string, text: unknown]> {
  for (const [name, text] of Object.entries(texts)) {
    const place = `${path}.${name}`
    if (typeof text === 'object' && text !== null) yield* listTexts(text as Texts, place)
    else yield [place, text]
  }
}

const VALUES = ['7', '31', '53', '97']

/** Says a text with values; undefined where it takes others than texts and numbers. */
function said(text: unknown): string | undefined {
  if (typeof text === 'string') return text
  try {
    return String((text as (...values: readonly string[]) => unknown)(...VALUES))
  } catch {
    return undefined
  }
}

const valuesIn = (text: string) => VALUES.filter((each) => new RegExp(`(?<!\\d)${each}(?!\\d)`).test(text))

/** Reads the English texts of the portal, by dictionary. */
async function readEnglish(): Promise<Readonly<Record<string, Texts>>> {
  const found: Record<string, Texts> = {}
  for (const path of parts.listDictionaries('portal')) {
    const names = new Set(namesIn(path))
    const module = (await import(path)) as Readonly<Record<string, { readonly en?: Texts }>>
    for (const name of names) {
      const english = module[name]?.en
      if (english !== undefined) found[name] = english
    }
  }
  return found
}

/** Explanations of refused requests are the service's own, in English; Malay has them, too. */
const OF_THE_SERVICE = new Set(['HELP'])

/** Says what is missing in a dictionary, has other values than in English, or is English still. */
function complaints(name: string, english: Texts, texts: Texts): string[] {
  const own = new Map(listTexts(texts, name))
  return [...listTexts(english, name)].flatMap(([place, text]) => {
    const other = own.get(place)
    if (typeof other !== typeof text) return [`${place} is missing`]
    const [before, after] = [said(text), said(other)]
    if (before === undefined || after === undefined) return []
    if (valuesIn(before).join() !== valuesIn(after).join()) return [`${place} has other values: ${after}`]
    const isEnglish = before === after && /[a-z]{3}/.test(before) && !SAME.test(place)
    return isEnglish ? [`${place} is English: ${after}`] : []
  })
}

it.each(['id', 'zh', 'ta'])(
  'the portal has every text in %s, with the same values, and none in English',
  async (language) => {
    vi.stubGlobal('document', { documentElement: { lang: 'en' } })
    try {
      const english = await readEnglish()
      const file = new URL(`packages/web/src/languages/${language}/index.ts`, ROOT).href
      const { default: pack } = (await import(file)) as { readonly default: Readonly<Record<string, Texts>> }
      const dictionaries = Object.entries(english).filter(([name]) => !OF_THE_SERVICE.has(name))
      const wrong = dictionaries.flatMap(([name, texts]) => complaints(name, texts, pack[name] ?? {}))
      expect(Object.keys(english).length).toBeGreaterThan(35)
      expect(wrong).toEqual([])
    } finally {
      vi.unstubAllGlobals()
    }
  },
)
