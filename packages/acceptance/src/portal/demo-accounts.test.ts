import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { from, TRUST_TEST_PROXY } from '../clients.ts'
import { send } from '../http.ts'
import { launch } from '../process.ts'
import type { Service, TestDatabase } from '../service.ts'
import {
  createDatabase,
  environmentOf,
  makeDirectory,
  newMasterKey,
  startService,
  stopServices,
  untilReady,
} from '../service.ts'
import { dataOf } from './members.ts'
import type { Side } from './people.ts'
import { call, trySignIn } from './people.ts'

let service: Service
let database: TestDatabase
const MASTER_KEY = newMasterKey()

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({
    database,
    masterKey: MASTER_KEY,
    environment: { ...TRUST_TEST_PROXY, WARUNG_DEMO: 'accounts' },
  })
})
afterAll(async () => {
  await stopServices()
  await database?.drop()
})

type Account = { login: string; password: string; role: string; reseller: { account: string } | null }

const LOCAL = from('127.0.0.1')
const ask = (place: Pick<Service, 'baseUrl'>, side: Side, headers: Record<string, string> = LOCAL) =>
  call(place, 'GET', `/${side}/v1/demo-accounts`, undefined, headers)

describe('the demo’s accounts', () => {
  it('are shown to whoever wants to sign in, in staging, and they work', async () => {
    const [operator] = dataOf<Account[]>(await ask(service, 'operator'))
    expect(operator).toMatchObject({
      login: service.demo.operator.email,
      role: 'admin',
      reseller: null,
    })
    const members = dataOf<Account[]>(await ask(service, 'portal'))
    expect(members.map(({ login }) => login)).toEqual(service.demo.resellers.map(({ username }) => username))
    const signedIn = [
      await trySignIn(service, 'operator', {
        email: operator?.login ?? '',
        password: operator?.password ?? '',
      }),
      await trySignIn(service, 'portal', {
        username: members[0]?.login ?? '',
        password: members[0]?.password ?? '',
      }),
    ]
    expect(signedIn.map(({ status }) => status)).toEqual([200, 200])
  })

  it('the demo’s accounts of operators are shown to private addresses alone', async () => {
    expect((await ask(service, 'operator', from('203.0.113.5'))).status).toBe(404)
    expect((await ask(service, 'portal', from('203.0.113.5'))).status).toBe(200)
  })

  it('the demo’s accounts of operators are not shown through a proxy that nobody named', async () => {
    const environment = { WARUNG_DEMO: 'accounts', WARUNG_TRUST_PROXY: 'none' }
    const options = { database, masterKey: MASTER_KEY, environment }
    const plain = await startService({ ...options, dataDir: await withDemoFile() })
    const statusOf = async (side: Side, headers: Record<string, string>) =>
      (await send({ baseUrl: plain.baseUrl, path: `/${side}/v1/demo-accounts`, headers })).status
    expect(await statusOf('operator', {})).toBe(200)
    for (const name of ['X-Forwarded-For', 'X-Real-IP', 'Forwarded', 'Via', 'X-Forwarded-Proto']) {
      const headers = { [name]: 'stranger' }
      expect([name, await statusOf('operator', headers)]).toEqual([name, 404])
      expect([name, await statusOf('portal', headers)]).toEqual([name, 200])
    }
  })

  it('the demo’s accounts of operators are not shown under a name that a stranger may have pointed here', async () => {
    const path = '/operator/v1/demo-accounts'
    const statusOf = async (host: string) =>
      (await send({ baseUrl: service.baseUrl, path, headers: { ...LOCAL, Host: host } })).status
    expect(await statusOf('evil.example')).toBe(404)
    expect(await statusOf('localhost')).toBe(200)
  })

  it('are not shown where the demo is switched off', async () => {
    const options = { database, masterKey: MASTER_KEY, environment: { WARUNG_DEMO: 'none' } }
    const plain = await startService({ ...options, dataDir: await withDemoFile() })
    for (const side of ['operator', 'portal'] as const) expect((await ask(plain, side)).status).toBe(404)
  })

  it('are never shown in production, on the demo’s own database and with its file', async () => {
    const environment = environmentOf(
      {
        database,
        masterKey: MASTER_KEY,
        environment: {
          WARUNG_ENV: 'production',
          WARUNG_PUBLIC_URL: 'https://api.example.com',
          WARUNG_DASHBOARD_URL: 'https://shop.example.com',
          WARUNG_TRUST_PROXY: 'none',
        },
      },
      await withDemoFile(),
    )
    const started = launch(environment)
    const baseUrl = await untilReady(started)
    for (const side of ['operator', 'portal'] as const) {
      const answer = await ask({ baseUrl }, side)
      expect([side, answer.status]).toEqual([side, 404])
      expect(answer.text).not.toContain(service.demo.operator.password)
    }
    started.signal('SIGTERM')
    await started.ended
  })
})

/** Makes a data directory that holds the demo's file. */
async function withDemoFile(): Promise<string> {
  const directory = await makeDirectory()
  await copyFile(join(service.dataDir, 'demo.json'), join(directory, 'demo.json'))
  return directory
}
