import { mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { replacePrivateFile } from './private-file.ts'

let dir: string
let path: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'warung-private-'))
  path = join(dir, 'below', 'secret')
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const names = () => readdir(join(dir, 'below'))

it('the file is read by its owner alone, and nothing is left beside it', async () => {
  await replacePrivateFile(path, 'first\n')
  await replacePrivateFile(path, 'second\n')
  expect(await readFile(path, 'utf8')).toBe('second\n')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await names()).toEqual(['secret'])
})

it('writers at the same time all succeed, and the file is the whole text of one of them', async () => {
  const texts = Array.from({ length: 40 }, (_, index) => `${String(index).repeat(20_000)}\n`)
  await Promise.all(texts.map((text) => replacePrivateFile(path, text)))
  expect(texts).toContain(await readFile(path, 'utf8'))
  expect(await names()).toEqual(['secret'])
})

it('the file of a crashed writer is removed, and the file of a running one stays', async () => {
  await replacePrivateFile(path, 'first\n')
  const [abandoned, underway, other] = ['secret.tmp-0a', 'secret.tmp-0b', 'other.tmp-0c'].map((name) =>
    join(dir, 'below', name),
  ) as [string, string, string]
  for (const file of [abandoned, underway, other]) await writeFile(file, 'half')
  const yesterday = new Date(Date.now() - 24 * 3_600_000)
  for (const file of [abandoned, other]) await utimes(file, yesterday, yesterday)
  await replacePrivateFile(path, 'second\n')
  expect((await names()).sort()).toEqual(['other.tmp-0c', 'secret', 'secret.tmp-0b'])
})

it('nothing is written through a link that stands in the place of the file', async () => {
  const elsewhere = join(dir, 'elsewhere')
  await writeFile(elsewhere, 'untouched')
  await replacePrivateFile(path, 'first\n')
  await rm(path)
  await symlink(elsewhere, path)
  await replacePrivateFile(path, 'second\n')
  expect(await readFile(elsewhere, 'utf8')).toBe('untouched')
  expect(await readFile(path, 'utf8')).toBe('second\n')
})
