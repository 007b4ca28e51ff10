import { strFromU8, unzipSync } from 'fflate'
import { expect, it } from 'vitest'
import type { PackedFile } from './archives.ts'
import { packZip } from './archives.ts'

const AT = new Date('2026-11-01T00:00:00Z')

const fileOf = (name: string, ...texts: readonly string[]): PackedFile => ({
  name,
  pieces: async function* () {
    yield* texts
  },
})

async function pack(...files: readonly PackedFile[]): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const pieces of packZip(files, AT)) all.push(...pieces)
  return Buffer.concat(all)
}

it('an archive has each file whole, in its order, and the same files are the same bytes', async () => {
  const long = 'a line\r\n'.repeat(20_000)
  const files = [fileOf('one.csv', 'a', long, 'z'), fileOf('empty.csv'), fileOf('Kedai é.csv', 'x')]
  const bytes = await pack(...files)
  const read = Object.entries(unzipSync(bytes)).map(([name, content]) => [name, strFromU8(content)])
  expect(read).toEqual([
    ['one.csv', `a${long}z`],
    ['empty.csv', ''],
    ['Kedai é.csv', 'x'],
  ])
  expect((await pack(...files)).equals(bytes)).toBe(true)
})

it('a file that cannot be read to its end makes no archive', async () => {
  const broken: PackedFile = {
    name: 'broken.csv',
    pieces: async function* () {
      yield 'a'
      throw new Error('gone')
    },
  }
  await expect(pack(fileOf('one.csv', 'a'), broken)).rejects.toThrow('gone')
})
