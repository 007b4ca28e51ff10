import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeExport } from './catalog-files.ts'

let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'warung-catalog-files-'))
})

afterAll(() => rm(dir, { recursive: true, force: true }))

describe('writeExport', () => {
  it('replaces files, and makes the folders above them', async () => {
    const path = join(dir, 'new', 'catalog.json')
    await writeExport([{ path, content: 'old' }])
    expect(await writeExport([{ path, content: 'é' }])).toEqual([{ file: path, bytes: 2 }])
    expect(await readFile(path, 'utf8')).toBe('é')
    expect(await readdir(join(dir, 'new'))).toEqual(['catalog.json'])
  })

  it('names the file that it cannot write, and leaves no temporary file', async () => {
    const taken = join(dir, 'taken')
    const path = join(taken, 'catalog.json')
    // A folder cannot be replaced by a file.
    await mkdir(path, { recursive: true })
    await expect(writeExport([{ path, content: 'x' }])).rejects.toThrow(
      expect.objectContaining({
        message: `${path} cannot be written`,
        cause: expect.objectContaining({ code: 'EISDIR' }),
      }),
    )
    expect(await readdir(taken)).toEqual(['catalog.json'])
  })

  it('names the file below something that is no folder', async () => {
    const file = join(dir, 'file')
    await writeFile(file, '')
    const path = join(file, 'catalog.json')
    await expect(writeExport([{ path, content: 'x' }])).rejects.toThrow(`${path} cannot be written`)
  })
})
