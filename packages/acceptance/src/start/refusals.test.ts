import { access, chmod, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canRunAsPlainUser, launch, plainUser } from '../process.ts'
import type { TestDatabase } from '../service.ts'
import {
  createDatabase,
  environmentOf,
  makeDirectory,
  newMasterKey,
  stopServices,
  untilReady,
} from '../service.ts'

let database: TestDatabase
const masterKey = newMasterKey()
let occupier: Server
let takenPort: string

beforeAll(async () => {
  database = await createDatabase()
  occupier = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => occupier.once('listening', resolve))
  takenPort = String((occupier.address() as AddressInfo).port)
})

afterAll(async () => {
  occupier?.close()
  await stopServices()
  await database?.drop()
})

type Refusal = { code: number | null; output: string; dataDir: string; isThere: boolean }

/** Starts in a directory that does not exist yet, and must end by itself. */
async function refuse(
  environment: Record<string, string>,
  options: { database?: TestDatabase } = {},
): Promise<Refusal> {
  const parent = await makeDirectory()
  await chmod(parent, 0o711)
  const dataDir = join(parent, 'data')
  const started = launch(environmentOf({ ...options, masterKey, environment }, dataDir))
  const { code } = await started.ended
  const isThere = await access(dataDir).then(
    () => true,
    () => false,
  )
  return { code, output: started.output(), dataDir, isThere }
}

const noPlainUser = !(await canRunAsPlainUser())

describe('a start with a wrong configuration', () => {
  it('names every wrong setting at once, ends with 1, and makes nothing', async () => {
    const { code, output, isThere } = await refuse({
      WARUNG_ENV: 'prodution',
      WARUNG_PORT: '70000',
      WARUNG_METRICS_PORT: 'no',
      WARUNG_PUBLIC_URL: 'ftp://x',
      WARUNG_RATE_LIMIT: '0',
      WARUNG_RATE_BLOCK_MINUTES: '-1',
      WARUNG_RATE_EXEMPT: '10.0.0.0/99',
      WARUNG_TRUST_PROXY: 'localhost',
      WARUNG_REQUEST_TIMEOUT_SECONDS: '30',
      WARUNG_LOG_LEVEL: 'loud',
      WARUNG_MASTER_KEY: 'c2hvcnQ=',
      WARUNG_EMBEDDED: 'maybe',
      WARUNG_DATA_DRI: '/elsewhere',
    })
    expect(code).toBe(1)
    expect(output).toContain('13 problems')
    const named = [...output.matchAll(/^ {2}(\w+): \S/gm)].map((match) => match[1])
    expect(named.sort()).toEqual([
      'WARUNG_DATA_DRI',
      'WARUNG_EMBEDDED',
      'WARUNG_ENV',
      'WARUNG_LOG_LEVEL',
      'WARUNG_MASTER_KEY',
      'WARUNG_METRICS_PORT',
      'WARUNG_PORT',
      'WARUNG_PUBLIC_URL',
      'WARUNG_RATE_BLOCK_MINUTES',
      'WARUNG_RATE_EXEMPT',
      'WARUNG_RATE_LIMIT',
      'WARUNG_REQUEST_TIMEOUT_SECONDS',
      'WARUNG_TRUST_PROXY',
    ])
    expect(isThere).toBe(false)
  })

  it('production without a key, a database and addresses says which are missing, and makes nothing', async () => {
    const { code, output, isThere } = await refuse({ WARUNG_ENV: 'production' })
    expect(code).toBe(1)
    for (const name of [
      'WARUNG_MASTER_KEY',
      'DATABASE_URL',
      'WARUNG_PUBLIC_URL',
      'WARUNG_DASHBOARD_URL',
      'WARUNG_TRUST_PROXY',
    ]) {
      expect(output).toContain(`  ${name}: `)
    }
    expect(isThere).toBe(false)
  })

  it('production refuses addresses that are not https', async () => {
    const { code, output } = await refuse(
      {
        WARUNG_ENV: 'production',
        WARUNG_TRUST_PROXY: 'none',
        WARUNG_PUBLIC_URL: 'http://api.example.com',
        WARUNG_DASHBOARD_URL: 'http://shop.example.com',
      },
      { database },
    )
    expect(code).toBe(1)
    expect(output.match(/must be https in production/g)).toHaveLength(2)
  })

  it('a database of its own and no master key are refused: nodes must share one', async () => {
    const { code, output } = await refuse({ DATABASE_URL: database.url })
    expect(code).toBe(1)
    expect(output).toContain('  WARUNG_MASTER_KEY: ')
  })

  it('another master key than the database was made with is named, and nothing is seeded', async () => {
    const first = launch(
      environmentOf({ database, masterKey, environment: { WARUNG_DEMO: 'none' } }, await makeDirectory()),
    )
    await untilReady(first)
    first.signal('SIGTERM')
    await first.ended
    const { code, output } = await refuse({ WARUNG_MASTER_KEY: newMasterKey() }, { database })
    expect(code).toBe(1)
    expect(output).toContain('WARUNG_MASTER_KEY')
    expect(output).not.toContain('api key')
    const { rows } = await database.query('select count(*)::int as count from resellers')
    expect(rows).toEqual([{ count: 0 }])
  })
})

describe('a start that cannot have what it needs', () => {
  it('names the port that is taken and the setting before it makes anything, and ends with 1', async () => {
    const { code, output, isThere } = await refuse({ WARUNG_PORT: takenPort, WARUNG_DEMO: 'all' })
    expect(code).toBe(1)
    expect(output).toContain(`EADDRINUSE: address already in use 127.0.0.1:${takenPort}`)
    expect(output).toContain('Set WARUNG_PORT ')
    expect(output).not.toContain('creating')
    expect(isThere).toBe(false)
  })

  it('names the metrics’ own setting when that port is taken', async () => {
    const { code, output } = await refuse({ WARUNG_METRICS_PORT: takenPort }, { database })
    expect(code).toBe(1)
    expect(output).toContain(`127.0.0.1:${takenPort}`)
    expect(output).toContain('Set WARUNG_METRICS_PORT ')
  })

  it('says that it is the database it cannot reach, and never shows the password', async () => {
    const url = 'postgres://warung:top-secret@127.0.0.1:1/warung?password=top-secret'
    const { code, output } = await refuse({ DATABASE_URL: url, WARUNG_MASTER_KEY: newMasterKey() })
    expect(code).toBe(1)
    expect(output).toMatch(/could not start: .*database.*ECONNREFUSED 127\.0\.0\.1:1/s)
    expect(output).not.toContain('top-secret')
  })

  it.skipIf(noPlainUser)('says which directory it may not write to', async () => {
    const locked = await makeDirectory()
    await chmod(locked, 0o555)
    const dataDir = join(locked, 'data')
    const started = launch(environmentOf({}, dataDir), { user: plainUser() })
    expect((await started.ended).code).toBe(1)
    expect(started.output()).toMatch(/could not start: .*permission denied/)
    expect(started.output().split('could not start')[1]).toContain(dataDir)
  })

  it('says which directory it could not make beside an external database, and seeds nothing there', async () => {
    const file = join(await makeDirectory(), 'file')
    await writeFile(file, '')
    const started = launch(environmentOf({ database, masterKey }, join(file, 'data')))
    expect((await started.ended).code).toBe(1)
    expect(started.output().split('could not start')[1]).toContain(join(file, 'data'))
    const { rows } = await database.query('select count(*)::int as count from resellers')
    expect(rows).toEqual([{ count: 0 }])
  })
})
