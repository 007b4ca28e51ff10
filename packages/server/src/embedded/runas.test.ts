import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { canPass, credentials, findServerUser, parsePasswd } from './runas.ts'

let base: string

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'warung-runas-'))
})

afterEach(async () => {
  await rm(base, { recursive: true, force: true })
})

async function passwd(...lines: string[]): Promise<string> {
  const path = join(base, 'passwd')
  await writeFile(path, `${lines.join('\n')}\n`)
  return path
}

test('the server runs as postgres where there is one, else as nobody, and never as root', async () => {
  const root = 'root:x:0:0:root:/root:/bin/bash'
  const nobody = 'nobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin'
  const postgres = 'postgres:x:101:104:PostgreSQL:/var/lib/postgresql:/bin/bash'
  expect(await findServerUser(await passwd(root, nobody, postgres))).toEqual({
    name: 'postgres',
    uid: 101,
    gid: 104,
  })
  expect(await findServerUser(await passwd(root, nobody))).toEqual({ name: 'nobody', uid: 65534, gid: 65533 })
  await expect(findServerUser(await passwd(root, 'postgres:x:0:0::/:'))).rejects.toThrow(/DATABASE_URL/)
})

test('a negative uid is that of the same user everywhere', () => {
  const [nobody] = parsePasswd('# comment\nnobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false\n')
  expect(nobody).toEqual({ name: 'nobody', uid: 4294967294, gid: 4294967294 })
  expect(credentials(nobody)).toEqual({ uid: -2, gid: -2 })
})

test('a place is reachable only when every directory above it lets the user pass', async () => {
  const user = { name: 'nobody', uid: 65534, gid: 65534 }
  const inner = join(base, 'inner')
  await mkdir(inner)
  await chmod(base, 0o711)
  await chmod(inner, 0o711)
  expect(await canPass(inner, user)).toBe(true)
  await chmod(base, 0o700)
  expect(await canPass(inner, user)).toBe(false)
  await chmod(base, 0o755)
  await chmod(inner, 0o750)
  expect(await canPass(inner, user)).toBe(false)
  expect(await canPass(inner, { ...user, uid: process.getuid?.() ?? 0 })).toBe(true)
})
