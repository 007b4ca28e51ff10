import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TcpProxy } from '../faults/tcp-proxy.ts'
import { proxyDatabase } from '../faults/tcp-proxy.ts'
import type { Launched } from '../process.ts'
import { launch } from '../process.ts'
import type { TestDatabase } from '../service.ts'
import { createDatabase, environmentOf, makeDirectory, stopServices, until } from '../service.ts'

let database: TestDatabase
let proxy: TcpProxy
let url: string

beforeAll(async () => {
  database = await createDatabase()
  ;({ proxy, url } = await proxyDatabase(database.url))
})

afterAll(async () => {
  proxy.accept()
  await stopServices()
  await proxy.close()
  await database.drop()
})

/** Starts a service and takes its database away while it opens; undefined: it was faster. */
async function startWithoutDatabase(): Promise<Launched | undefined> {
  proxy.accept()
  const environment = { DATABASE_URL: url, WARUNG_DEMO: 'none' }
  const started = launch(environmentOf({ database, environment }, await makeDirectory()))
  await until('it opens', async () => /opening the service/.test(started.output()))
  proxy.refuse()
  const isReady = () => /^\s*api\s+http/m.test(started.output())
  await until('it has ended, or was faster', async () => started.hasEnded() || isReady())
  if (!isReady()) return started
  started.signal('SIGKILL')
  return undefined
}

it('a start that loses its database ends the process, so that a service manager starts it again', async () => {
  const started = await until('a start is cut off', startWithoutDatabase)
  expect((await started.ended).code).toBe(1)
  expect(started.output()).toContain('Warung could not start')
})
