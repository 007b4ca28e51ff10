import { chown, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Env } from '../../../config.ts'
import { generateMasterKey } from '../../../lib/secrets/sealing.ts'
import type { ExternalServer } from '../../../testing/external-server.ts'
import { startExternal } from '../../../testing/external-server.ts'
import { main } from '../../main.ts'

// Backup of a PostgreSQL server that the service does not run itself, from the first refusal to the restored server.

const NOBODY = 65_534

let server: ExternalServer
let env: Env
let folder: string
let account: string

beforeAll(async () => {
  server = await startExternal()
  folder = join(server.home, 'backups')
  env = {
    DATABASE_URL: server.url,
    WARUNG_MASTER_KEY: generateMasterKey().bytes.toString('base64'),
    WARUNG_DATA_DIR: join(server.home, 'data'),
    WARUNG_BACKUP_DIR: folder,
  }
  await read('migrate')
  const made = await read<{ account: string }>(
    'reseller',
    'create',
    '--name',
    'Kedai',
    '--email',
    'k@example.com',
  )
  account = made.account
  await read('deposit', '--reseller', account, '--amount', '50', '--remarks', 'first')
})
afterAll(() => server.close())

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' }
  const take = (where: keyof typeof said) => (text: string) => {
    said[where] += text
  }
  const io = { out: take('out'), err: take('err'), readInput: async () => '' }
  return { code: await main(args, io, env), ...said }
}

async function read<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await run(...args, '--json')
  expect({ code, out, err }).toMatchObject({ code: 0 })
  return JSON.parse(out) as T
}

it('a role without the right of replication is refused, with the statement that gives it', async () => {
  const refused = await run('backup')
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('alter role "warung" replication;') })
  await server.administer('alter role warung replication')
})

it('an external server is copied and proven by a role that only owns its database', async () => {
  expect(await read('backup')).toMatchObject({ folder, payments: 0 })
  const proof = await read('backup', 'verify', '--work', server.home)
  expect(proof).toMatchObject({ ok: true, wallets: 1, entries: 1, faults: [] })
})

it('a copy is restored into a data directory of the external server, marked, with its ledger proven', async () => {
  const into = join(server.home, 'restored')
  const restored = await read('restore', '--into', into)
  expect(restored).toMatchObject({ cluster: into, lost_payments: 0 })
  expect((await stat(into)).uid).toBe((await stat(join(server.home, 'main'))).uid)
  await server.stop()
  await server.startOn(into)
  expect(await read('ledger', 'verify')).toMatchObject({ ok: true })
  expect(await read('audit', 'verify')).toMatchObject({ ok: true })
  const now = new Date().toISOString()
  expect(await read('ledger', 'balance', '--reseller', account, '--at', now)).toMatchObject({ balance: 50 })
  const { restores } = await read<{ restores: object[] }>('restore', 'list')
  expect(restores).toMatchObject([{ accepted_at: null }])
})

it('a data directory that is in use is never overwritten', async () => {
  const refused = await run('restore', '--into', join(server.home, 'main'))
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('is not empty') })
})

it.runIf(process.getuid?.() === 0)(
  'a backup that root takes stays readable for the owner of the folder',
  async () => {
    const given = join(server.home, 'given')
    await mkdir(given)
    await chown(given, NOBODY, NOBODY)
    await read('backup', '--to', given)
    const names = await readdir(given, { recursive: true })
    expect(names.length).toBeGreaterThan(4)
    const owners = await Promise.all(names.map(async (name) => [name, (await stat(join(given, name))).uid]))
    expect(owners).toEqual(names.map((name) => [name, NOBODY]))
  },
)
