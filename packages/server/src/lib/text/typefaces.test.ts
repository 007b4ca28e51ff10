import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { listTypefaces, openTypeface, readFont } from './typefaces.ts'

const FONTS = new URL('../../../fonts/', import.meta.url)

it('every font is the one that its index describes, and no file is without an entry', async () => {
  const { typefaces } = JSON.parse(await readFile(new URL('index.json', FONTS), 'utf8')) as {
    typefaces: { name: string; file: string; sha256: string }[]
  }
  for (const { file, sha256 } of typefaces) {
    const font = await readFont(file)
    expect(createHash('sha256').update(font).digest('hex'), file).toBe(sha256)
  }
  const files = (await readdir(FONTS)).filter((file) => file.endsWith('.br'))
  expect(files.toSorted()).toEqual(typefaces.map(({ file }) => file).toSorted())
})

it('all who open a typeface share one copy', async () => {
  expect(await openTypeface('noto-sans-thai')).toBe(await openTypeface('noto-sans-thai'))
})

it('coverage begins and ends where its ranges do', async () => {
  const thai = (await listTypefaces()).find(({ name }) => name === 'noto-sans-thai')
  expect([0xe00, 0xe01, 0xe3a, 0xe3b, 0xe3f, 0x4e00, 0x10ffff].map((point) => thai?.covers(point))).toEqual([
    false,
    true,
    true,
    false,
    true,
    false,
    false,
  ])
})

/** Lists characters of a national standard, as the platform's decoder knows it. */
function listCharacters(encoding: string, [firstLead, lastLead]: [number, number]): Set<number> {
  const decoder = new TextDecoder(encoding)
  const found = new Set<number>()
  for (let lead = firstLead; lead <= lastLead; lead += 1) {
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      const text = decoder.decode(new Uint8Array([lead, trail])).normalize('NFC')
      if (/^\p{Script=Han}$/u.test(text)) found.add(text.codePointAt(0) ?? 0)
    }
  }
  return found
}

it.each<[string, string, [number, number], number]>([
  ['GBK, simplified and traditional', 'gbk', [0x81, 0xfe], 20_900],
  ['Big5, traditional', 'big5', [0xa4, 0xf9], 13_000],
])('every Chinese character of %s can be shown', async (_, encoding, leads, atLeast) => {
  const characters = listCharacters(encoding, leads)
  expect(characters.size).toBeGreaterThan(atLeast)
  const typefaces = await listTypefaces()
  const missing = [...characters].filter((point) => !typefaces.some(({ covers }) => covers(point)))
  expect(String.fromCodePoint(...missing)).toBe('')
})
