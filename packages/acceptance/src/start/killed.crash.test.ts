import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorOf, readBalance } from '../clients.ts'
import { createReseller } from '../edge.ts'
import { findPostmaster, INSTALLED } from '../process.ts'
import type { ServiceProcess } from '../service.ts'
import { makeDirectory, startService, stopServices } from '../service.ts'
import { freshNonce } from '../signing.ts'
import { deposit, expectCleanlyStopped, spend } from './one-directory.ts'

// One data directory through its life: each test continues where the one before ended.

let dataDir: string
let service: ServiceProcess

beforeAll(async () => {
  dataDir = await makeDirectory()
  // The service is started from the installed files.
  service = await startService({ dataDir, launch: { args: [INSTALLED, 'serve'] } })
})

afterAll(stopServices)

async function restart(): Promise<void> {
  service = await startService({ dataDir })
}

const spentNonce = freshNonce()

describe('killed', () => {
  it('adopts the database server it left, and has lost nothing', async () => {
    expect((await spend(service, service.credentials, spentNonce)).status).toBe(200)
    const other = await createReseller(service)
    const postmaster = await findPostmaster(dataDir)
    await deposit(service, '1')
    await service.kill9()
    expect(await findPostmaster(dataDir)).toBe(postmaster)
    await restart()
    expect(service.output()).toContain('adopting the database server left running')
    expect(await findPostmaster(dataDir)).toBe(postmaster)
    expect(await readBalance(service, service.credentials)).toBe(1_250_001)
    expect(await readBalance(service, other)).toBe(0)
    expect(errorOf(await spend(service, service.credentials, spentNonce))).toBe('nonce_reused')
  })

  it('together with its database server recovers, and has lost nothing', async () => {
    const nonce = freshNonce()
    expect((await spend(service, service.credentials, nonce)).status).toBe(200)
    await deposit(service, '1')
    const postmaster = await findPostmaster(dataDir)
    service.signal('SIGKILL')
    if (postmaster !== undefined) process.kill(postmaster, 'SIGKILL')
    await service.ended
    await restart()
    expect(await readBalance(service, service.credentials)).toBe(1_250_002)
    expect(errorOf(await spend(service, service.credentials, nonce))).toBe('nonce_reused')
  })

  it('the database server alone ends the service, which says so, and the next start recovers', async () => {
    await deposit(service, '1')
    const postmaster = await findPostmaster(dataDir)
    if (postmaster !== undefined) process.kill(postmaster, 'SIGKILL')
    expect(await service.ended).toEqual({ code: 1, signal: null })
    expect(service.output()).toContain('the embedded database stopped')
    await restart()
    expect(await readBalance(service, service.credentials)).toBe(1_250_003)
  })

  it('adopted, it still stops the database server when told to stop', async () => {
    await service.kill9()
    await restart()
    expect(service.output()).toContain('adopting')
    expect(await service.stop()).toBe(0)
    await expectCleanlyStopped(dataDir)
  })
})
