import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Catalog, Demo, Reader } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import type { Answer } from '../../http.ts'
import { until } from '../../service.ts'

let demo: Demo
let first: Reader

beforeAll(async () => {
  demo = await shareDemo()
  first = demo.first
})

const OPTIONS = '/v2/options?product_code=NOVAD&field_id=plan'

async function importTexts(texts: readonly object[]): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'texts-'))
  const file = join(directory, 'catalog.json')
  await writeFile(file, JSON.stringify({ texts }))
  await demo.service.warungd('catalog', 'import', '--file', file, '--reason', 'words')
  await rm(directory, { recursive: true })
}

const ask = (path: string, language?: string): Promise<Answer> =>
  first.get(path, language === undefined ? {} : { 'Accept-Language': language })

/** Replaces every text that a language may change, so that the rest can be compared. */
function withoutTexts(value: unknown): unknown {
  const texts = new Set(['name', 'note', 'label', 'placeholder', 'message', 'description'])
  return JSON.parse(
    JSON.stringify(value, (name, each: unknown) =>
      texts.has(name) && (typeof each === 'string' || each === null) ? '' : each,
    ),
  )
}

const LANGUAGES = [
  ['ms', 'ms-MY, en;q=0.8', 'Nombor telefon bimbit'],
  ['id', 'fr, id;q=0.5', 'Nomor ponsel'],
  ['zh', 'zh-Hans-CN', '手机号码'],
  ['ta', 'en;q=0.1, ta;q=0.2', 'கைப்பேசி எண்'],
] as const

describe('the language of the catalogue and of options', () => {
  it("has the operator's own words from the moment of their import, and every other answer stays as it was", async () => {
    const own = [
      { language: 'ta', text: 'Sakura Store Gift Card', translation: 'சகுரா பரிசு அட்டை' },
      { language: 'ta', text: 'For accounts of the Japanese store.', translation: 'ஜப்பானியக் கடைக்கு' },
      { language: 'ta', text: 'JPY 500', translation: '௫௦௦ யென்' },
    ]
    const put = (texts: readonly object[]) => importTexts(texts)
    const list = '/v2/options?product_code=STORE&field_id=amount'
    const asked = [undefined, 'en', 'ms', 'ta'] as const
    const read = () => Promise.all(asked.flatMap((each) => [ask('/v2/catalog', each), ask(list, each)]))
    const before = await read()
    await put(own)
    const tamil = await until('the words are there', async () => {
      const answer = await ask('/v2/catalog', 'ta')
      return answer.text.includes('சகுரா') ? answer : undefined
    })
    expect(tamil.json<Catalog>().products.STORE).toMatchObject({
      name: 'சகுரா பரிசு அட்டை',
      note: 'ஜப்பானியக் கடைக்கு',
    })
    const after = await read()
    const tags = (answers: readonly Answer[]) => answers.map(({ headers }) => headers.etag)
    expect(tags(after).slice(0, 6)).toEqual(tags(before).slice(0, 6))
    expect(after.slice(0, 6).map(({ bytes }) => bytes)).toEqual(before.slice(0, 6).map(({ bytes }) => bytes))
    expect(after[7]?.text).toContain('௫௦௦ யென்')
    expect(tags(after)[6]).not.toBe(tags(before)[6])
    expect(tags(after)[7]).not.toBe(tags(before)[7])
    expect(before[0]?.text).not.toContain('redemption')
    await put(own.map((each) => ({ ...each, translation: null })))
    await until('the words are gone', async () => {
      const answer = await ask('/v2/catalog', 'ta')
      return answer.headers.etag === before[6]?.headers.etag ? answer : undefined
    })
  })

  it.each(LANGUAGES)(
    'is %s for those who prefer it: other texts, and nothing else',
    async (code, header, label) => {
      const plain = await ask('/v2/catalog')
      const answer = await ask('/v2/catalog', header)
      expect(answer.status).toBe(200)
      expect(answer.headers['content-language']).toBe(code)
      expect(answer.headers.vary).toContain('Accept-Language')
      const catalog: Catalog = answer.json()
      expect(catalog.products.NOVA?.fields[0]).toMatchObject({ label })
      expect(answer.text).not.toMatch(/"(Mobile number|Prepaid reload|Customer number)"/)
      expect(withoutTexts(catalog)).toEqual(withoutTexts(plain.json()))
      const [options, others] = [await ask(OPTIONS), await ask(OPTIONS, header)]
      expect(others.headers['content-language']).toBe(code)
      expect(withoutTexts(others.json())).toEqual(withoutTexts(options.json()))
    },
  )

  it('has a tag of its own: the tag of one language is not that of another', async () => {
    const tags = await Promise.all(
      [undefined, ...LANGUAGES.map(([code]) => code)].map(async (code) => {
        const { etag } = (await ask('/v2/catalog', code)).headers
        return etag ?? ''
      }),
    )
    expect(new Set(tags).size).toBe(5)
    const [english = '', malay = ''] = tags
    const again = (tag: string) => first.get('/v2/catalog', { 'Accept-Language': 'ms', 'If-None-Match': tag })
    expect((await again(malay)).status).toBe(304)
    expect((await again(english)).status).toBe(200)
  })

  it.each(['/v2/catalog', OPTIONS])(
    'is that of the contract, byte for byte, for all others: %s',
    async (path) => {
      const plain = await ask(path)
      expect(plain.headers['content-language']).toBeUndefined()
      for (const header of ['en', '*', 'en-MY, ms;q=0.9', 'fr', 'zh;q=0', 'nonsense;;q=x']) {
        const answer = await ask(path, header)
        expect(answer.bytes.equals(plain.bytes), header).toBe(true)
        expect(answer.headers.etag, header).toBe(plain.headers.etag)
      }
    },
  )
})
