import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPostmaster, launch, runWarungd } from '../process.ts'
import type { ServiceProcess } from '../service.ts'
import { makeDirectory, startService, stopServices, until } from '../service.ts'
import { deposit, expectCleanlyStopped } from './one-directory.ts'

// One data directory whose service is stopped: each test continues where the one before ended.

let dataDir: string
let service: ServiceProcess

beforeAll(async () => {
  dataDir = await makeDirectory()
  service = await startService({ dataDir })
})

afterAll(stopServices)

describe('told to stop', () => {
  it('takes Ctrl-C that arrives twice, as a terminal and npm send it, for one', async () => {
    service.signal('SIGINT')
    service.signal('SIGINT')
    await until('it has noticed', async () => service.output().includes('Stopping'))
    service.signal('SIGINT')
    expect(await service.ended).toEqual({ code: 0, signal: null })
    await expectCleanlyStopped(dataDir)
  })

  it('a stop in the middle of a start leaves no database server behind', async () => {
    const started = launch(service.environment)
    await until('the database server runs', () => findPostmaster(dataDir))
    started.signal('SIGTERM')
    expect(await started.ended).toEqual({ code: 0, signal: null })
    await expectCleanlyStopped(dataDir)
  })
})

describe('commands without a running service', () => {
  it('start the database for themselves and stop it again', async () => {
    const [reseller] = service.demo.resellers
    const shown = await service.warungd('reseller', 'show', '--reseller', reseller?.account ?? '')
    expect(shown).toMatchObject({ account: reseller?.account, name: 'Kedai Maju' })
    await deposit(service, '0.0001')
    await expectCleanlyStopped(dataDir)
  })

  it('commands that come at once either work or say which one is in the way', async () => {
    const results = await Promise.all(
      Array.from({ length: 3 }, () => runWarungd(service.environment, ['reseller', 'list', '--json'])),
    )
    for (const { code, stdout } of results) {
      if (code === 0) expect(JSON.parse(stdout).resellers).toHaveLength(2)
      else expect(JSON.parse(stdout).error.message).toMatch(/already runs on the data directory|database/)
    }
    expect(results.map((each) => each.code)).toContain(0)
    await expectCleanlyStopped(dataDir)
  })
})
