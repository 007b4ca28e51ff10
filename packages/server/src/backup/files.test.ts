import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHashedFile } from './files.ts'

let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'warung-files-'))
})

afterAll(() => rm(dir, { recursive: true, force: true }))

it('a hashed file that cannot be written names its path, and keeps the cause', async () => {
  const path = join(dir, 'base.tar.gz')
  const file = await createHashedFile(path, 'base.tar.gz')
  // A closed handle fails like one on a full disk: the error of the system names no file.
  await file.abandon()
  await expect(file.write(Buffer.from('x'))).rejects.toThrow(
    expect.objectContaining({
      message: `${path} cannot be written`,
      cause: expect.objectContaining({ code: 'EBADF' }),
    }),
  )
  await expect(file.close()).rejects.toThrow(`${path} cannot be written`)
})
