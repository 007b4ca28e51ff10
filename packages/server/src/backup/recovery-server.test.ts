import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findProgram } from './recovery-server.ts'

let base: string

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'warung-programs-'))
})
afterEach(() => rm(base, { recursive: true, force: true }))

/** Makes a program that says which version it is. */
async function install(place: string, major: number): Promise<string> {
  const path = join(base, place, 'postgres')
  await mkdir(join(base, place), { recursive: true })
  await writeFile(path, `#!/bin/sh\necho 'postgres (PostgreSQL) ${major}.3'\n`)
  await chmod(path, 0o755)
  return path
}

function find(source: 'embedded' | 'external', binDir?: string) {
  const copied = { source, serverVersion: 170_005 }
  const directories = [join(base, 'missing'), join(base, 'installed')]
  return findProgram({ binDir, workDir: base, runAs: undefined, copied, directories })
}

it('a copy of an external server is recovered by the installed programs of its version', async () => {
  const path = await install('installed', 17)
  expect(await find('external')).toEqual({ path, major: 17 })
})

it('programs that the operator names come before the installed ones', async () => {
  await install('installed', 17)
  const path = await install('named', 16)
  expect(await find('external', join(base, 'named'))).toEqual({ path, major: 16 })
})

it('a copy of the embedded server, or one without installed programs, is recovered by the carried ones', async () => {
  const carried = await find('external')
  expect(carried.path).not.toContain(base)
  await install('installed', 17)
  expect(await find('embedded')).toEqual(carried)
})
