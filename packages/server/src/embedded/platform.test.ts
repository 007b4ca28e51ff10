import { chmod, cp, mkdtemp, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EmbeddedUnavailableError } from './errors.ts'
import { getPlatformPackage, makeLinks, prepareBinaries } from './platform.ts'
import { findServerUser, isRoot } from './runas.ts'

let base: string
let packageDir: string

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'warung-platform-'))
  await chmod(base, 0o755)
  const installed = await getPlatformPackage()
  packageDir = join(base, basename(installed))
  await cp(installed, packageDir, { recursive: true, filter: isNeeded })
})

afterEach(async () => {
  await rm(base, { recursive: true, force: true })
})

/** Leaves out links, as an install without scripts does, and the many files that `--version` does not read. */
async function isNeeded(path: string): Promise<boolean> {
  return basename(path) !== 'share' && !(await isLink(path))
}

async function isLink(path: string): Promise<boolean> {
  return readlink(path).then(
    () => true,
    () => false,
  )
}

test('an install without scripts runs: the links are made, also by several starts at once', async () => {
  const lib = join(packageDir, 'native', 'lib')
  const before = await readdir(lib)
  expect(before).not.toContain('libpq.so.5')
  expect(await Promise.all([1, 2, 3, 4].map(() => makeLinks(packageDir)))).toEqual([true, true, true, true])
  const binaries = await prepareBinaries(packageDir, join(base, 'copies'), undefined)
  expect(binaries.postgres).toBe(join(packageDir, 'native', 'bin', 'postgres'))
  expect(binaries.major).toMatch(/^\d+$/)
  expect(await readdir(base)).not.toContain('copies')
})

test('a platform without a server, or an install without the package, points to DATABASE_URL', async () => {
  const words = /DATABASE_URL/
  await expect(getPlatformPackage('sunos-x64')).rejects.toThrow(words)
  await expect(getPlatformPackage('sunos-x64')).rejects.toBeInstanceOf(EmbeddedUnavailableError)
  const nowhere = pathToFileURL(join(base, 'app.js')).href
  await expect(getPlatformPackage(undefined, nowhere)).rejects.toThrow(words)
  await expect(getPlatformPackage(undefined, nowhere)).rejects.toBeInstanceOf(EmbeddedUnavailableError)
})

test('programs that do not run on this machine are not copied, but reported in their own words', async () => {
  await writeFile(
    join(packageDir, 'native', 'bin', 'initdb'),
    '#!/bin/sh\necho "wrong machine" >&2\nexit 1\n',
  )
  const prepared = prepareBinaries(packageDir, join(base, 'copies'), undefined)
  await expect(prepared).rejects.toThrow(/wrong machine\n.*DATABASE_URL/)
  expect(await readdir(base)).not.toContain('copies')
})

describe.runIf(isRoot())('as root', () => {
  test('programs in a place closed to the server user run from a copy, made once per version', async () => {
    const user = await findServerUser()
    // An install under a strict umask leaves these modes.
    await chmod(packageDir, 0o700)
    await chmod(join(packageDir, 'native', 'bin', 'postgres'), 0o700)
    const copies = join(base, 'copies')
    const [first, second] = await Promise.all([
      prepareBinaries(packageDir, copies, user),
      prepareBinaries(packageDir, copies, user),
    ])
    expect(first.postgres).toContain(copies)
    expect(second).toEqual(first)
    const names = await readdir(copies)
    expect(names).toHaveLength(1)
    expect(names[0]).toMatch(/-\d+\.\d+\.\d+/)
    const { ino } = await stat(first.postgres)
    expect(await prepareBinaries(packageDir, copies, user)).toEqual(first)
    expect((await stat(first.postgres)).ino).toBe(ino)
    // Root alone can put another program there.
    expect((await stat(first.postgres)).uid).toBe(0)
    expect((await stat(first.postgres)).mode & 0o022).toBe(0)
  })
})
