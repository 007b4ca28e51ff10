import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeSocketDir, ownDirs, removeSocketDir } from './socket.ts'

let base: string

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'wsock-'))
})

afterEach(async () => {
  await rm(base, { recursive: true, force: true })
})

function make(parents: string[], cluster = '/some/cluster'): Promise<string> {
  return makeSocketDir({ cluster, home: base, runAs: undefined }, parents)
}

test('the directory is private, and the same at the next start', async () => {
  const dir = await make([base])
  const info = await lstat(dir)
  expect(info.mode & 0o777).toBe(0o700)
  expect(info.uid).toBe(process.getuid?.())
  expect(await make([base])).toBe(dir)
  expect(await make([base], '/another/cluster')).not.toBe(dir)
})

test('a directory that others could enter is not used, though it has the expected name', async () => {
  const expected = await make([base])
  await chmod(expected, 0o755)
  const dir = await make([base])
  expect(dir).not.toBe(expected)
  expect((await lstat(dir)).mode & 0o777).toBe(0o700)
})

test('a link planted under the expected name is not followed', async () => {
  const expected = await make([base])
  await rm(expected, { recursive: true })
  await mkdir(join(base, 'trap'), { mode: 0o700 })
  await symlink(join(base, 'trap'), expected)
  expect(await make([base])).not.toBe(expected)
})

test('a place where others could move the directory away is not used', async () => {
  const shared = join(base, 'shared')
  await mkdir(shared)
  await chmod(shared, 0o777)
  const good = join(base, 'good')
  await mkdir(good)
  expect(await make([shared, good])).toContain(good)
  await chmod(shared, 0o1777)
  expect(await make([shared, good])).toContain(shared)
})

test('removing takes our own directory and never another one, nor a file that is not ours', async () => {
  const dir = await make([base])
  await writeFile(join(dir, '.s.PGSQL.5432.lock'), '1')
  await removeSocketDir({ host: dir, port: 5432 })
  expect(await readdir(base)).toEqual([])
  // An operator's setting can make the server report any directory as its socket's.
  for (const host of [base, join(base, 'run'), join(base, 'warung-data')]) {
    await mkdir(host, { recursive: true })
    await writeFile(join(host, '.s.PGSQL.5432'), 'not ours')
    await removeSocketDir({ host, port: 5432 })
    expect(await readdir(host)).toContain('.s.PGSQL.5432')
  }
  const used = await make([base])
  await writeFile(join(used, 'note'), 'somebody put this here')
  await removeSocketDir({ host: used, port: 5432 })
  expect(await readdir(used)).toEqual(['note'])
})

test('a path too long for a socket is passed over, and the last resort fails in words', async () => {
  const long = join(base, 'x'.repeat(80))
  await mkdir(long)
  expect(await make([long, base])).not.toContain(long)
  await expect(make([long])).rejects.toThrow(/no place for the database server's socket/)
})

test('the directory that systemd made for the service is used by its owner alone', async () => {
  expect(await ownDirs(base)).toEqual([base])
  expect(await ownDirs(join(base, 'missing'))).toEqual([])
  if (process.getuid?.() !== 0) return
  await chown(base, 1, 1)
  expect(await ownDirs(base)).toEqual([])
})
