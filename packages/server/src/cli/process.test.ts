import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { readMasterKeyFile, writeMasterKeyFile } from '../master-key-file.ts'
import { openRuntime } from '../runtime.ts'

const WARUNGD = fileURLToPath(new URL('../../bin/warungd.js', import.meta.url))

let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'warung-process-'))
})

afterAll(() => rm(dataDir, { recursive: true, force: true }))

type Ended = { code: number | null; out: string; err: string }

function run(args: readonly string[], input = ''): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [WARUNGD, ...args], {
      cwd: dataDir,
      env: { PATH: '/usr/bin:/bin', WARUNG_DATA_DIR: dataDir },
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, out, err }))
    child.stdin.end(input)
  })
}

it('the command is a process with exit codes: 0 done, 2 misused', async () => {
  expect(await run(['--version'])).toMatchObject({ code: 0, err: '' })
  expect(await run(['fly'])).toMatchObject({ code: 2, out: '' })
})

it('a master key is rotated on the embedded database with nothing lost, even after a crash half-way', async () => {
  expect(await run(['migrate'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('there is no database'),
  })
  const started = await openRuntime(readConfig({ WARUNG_DATA_DIR: dataDir }), { purpose: 'serve' })
  await started.close()
  const made = await run(['reseller', 'create', '--name', 'A', '--email', 'a@example.com', '--json'])
  const { account } = JSON.parse(made.out)
  const path = join(dataDir, 'master.key')
  const [first] = await readMasterKeyFile(path)

  expect((await run(['master-key', 'rotate'])).code).toBe(0)
  const [second, ...others] = await readMasterKeyFile(path)
  expect(others).toEqual([])
  expect(second?.id).not.toBe(first?.id)
  expect((await stat(path)).mode & 0o777).toBe(0o600)

  // State after a crash in the first step: the new key is in the file, and nothing is wrapped under it yet.
  if (first !== undefined && second !== undefined) await writeMasterKeyFile(path, [first, second])
  expect((await run(['master-key', 'rotate'])).code).toBe(0)
  expect(await readFile(path, 'utf8')).toMatch(/^[\w+/=]{44}\n$/)
  expect((await run(['key', 'create', '--reseller', account])).code).toBe(0)

  const user = ['user', 'create', '--reseller', account, '--username', 'typed', '--role', 'admin', '--json']
  const typed = await run([...user, '--password-stdin'], 'typed by hand\n')
  expect(typed).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(typed.out)).toMatchObject({ username: 'typed' })
})
