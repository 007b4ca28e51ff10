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
