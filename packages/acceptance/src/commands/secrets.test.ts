import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBalance, untilAnswered } from '../clients.ts'
import type { TestReseller } from '../edge.ts'
import { balanceOf, createKey, createReseller } from '../edge.ts'
import { launch } from '../process.ts'
import type { Service, TestDatabase } from '../service.ts'
import {
  createDatabase,
  makeDirectory,
  newMasterKey,
  runWarungd,
  startService,
  stopServices,
} from '../service.ts'
import { balanceByToken, getTokens } from '../tokens.ts'

afterAll(stopServices)

/** Sends requests until it is stopped; every answer must be good. */
function keepAsking(service: Service, credentials: TestReseller): { stop(): Promise<number> } {
  let going = true
  const asking = (async () => {
    let answers = 0
    while (going) {
      await readBalance(service, credentials)
      answers += 1
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return answers
  })()
  return {
    stop() {
      going = false
      return asking
    },
  }
}

/** Expects everything that depends on sealed secrets to work: keys old and new, and tokens. */
async function expectSecretsOpen(service: Service, known: readonly TestReseller[]): Promise<void> {
  for (const each of known) expect((await balanceOf(service, each)).status).toBe(200)
  const [demo] = service.demo.resellers
  const tokens = await getTokens(service, { username: demo?.username ?? '', password: demo?.password ?? '' })
  expect((await balanceByToken(service, tokens.IdToken)).status).toBe(200)
}

describe('a master key in a file beside the embedded database', () => {
  let service: Service
  let old: TestReseller
  let path: string

  beforeAll(async () => {
    service = await startService({ dataDir: await makeDirectory() })
    path = join(service.dataDir, 'master.key')
    old = await createReseller(service)
  })

  it('requests go on before, during and after a rotation, with keys old and new', async () => {
    const before = await readFile(path, 'utf8')
    const asking = keepAsking(service, old)
    const rotated = await service.warungd('master-key', 'rotate')
    expect(rotated).toMatchObject({ master_key_id: expect.any(String), data_keys_rewrapped: 1 })
    expect(await readFile(path, 'utf8')).not.toBe(before)
    expect(await readFile(path, 'utf8')).toMatch(/^[A-Za-z0-9+/]{43}=\n$/)
    // The key is sealed by a data key that is newer than the running service, wrapped by a newer master key.
    await service.warungd('data-key', 'rotate')
    const fresh = { ...old, ...(await createKey(service, old.account)) }
    expect((await balanceOf(service, fresh)).status).toBe(200)
    await service.warungd('token-key', 'rotate')
    expect(await asking.stop()).toBeGreaterThan(0)
    await expectSecretsOpen(service, [old, fresh])

    const { dataDir } = service
    expect(await service.stop()).toBe(0)
    service = await startService({ dataDir })
    await expectSecretsOpen(service, [old, fresh])
  })

  it('a lost file is told of, and is not replaced by one that opens nothing', async () => {
    const { dataDir, environment } = service
    expect(await service.stop()).toBe(0)
    const content = await readFile(path, 'utf8')
    await rm(path)
    const started = launch(environment)
    expect((await started.ended).code).toBe(1)
    expect(started.output()).toContain(`${path} is gone`)
    await expect(readFile(path)).rejects.toThrow('ENOENT')

    const given = { WARUNG_MASTER_KEY: content.trim() }
    service = await startService({ dataDir, environment: given })
    await expectSecretsOpen(service, [old])
    expect(await service.stop()).toBe(0)
  })
})

describe('a master key that the operator gives', () => {
  const current = newMasterKey()
  const next = newMasterKey()
  let database: TestDatabase
  let dataDir: string

  beforeAll(async () => {
    database = await createDatabase()
    dataDir = await makeDirectory()
  })

  afterAll(() => database?.drop())

  it('the steps that the help describes lose no request and no secret', async () => {
    const start = (masterKey: string, environment: Record<string, string> = {}) =>
      startService({ database, dataDir, masterKey, environment })
    let service = await start(current)
    const old = await createReseller(service)
    const early = await runWarungd(service.environment, ['master-key', 'rotate'])
    expect(early.code).toBe(1)
    expect(early.stderr).toContain('WARUNG_MASTER_KEY_NEXT')
    await service.stop()

    service = await start(current, { WARUNG_MASTER_KEY_NEXT: next })
    const asking = keepAsking(service, old)
    const rotated = await service.warungd('master-key', 'rotate')
    expect(rotated).toMatchObject({ data_keys_rewrapped: 1 })
    await service.warungd('data-key', 'rotate')
    const fresh = { ...old, ...(await createKey(service, old.account)) }
    expect(await asking.stop()).toBeGreaterThan(0)
    await expectSecretsOpen(service, [old, fresh])
    // The command is repeated, as an operator does who is not sure that it succeeded.
    expect(await service.warungd('master-key', 'rotate')).toMatchObject({ data_keys_rewrapped: 0 })
    await service.stop()

    service = await start(next)
    await untilAnswered(() => balanceOf(service, fresh), 200)
    await expectSecretsOpen(service, [old, fresh])
    await service.stop()

    const outdated = launch({ ...service.environment, WARUNG_MASTER_KEY: current })
    expect((await outdated.ended).code).toBe(1)
    expect(outdated.output()).toContain('WARUNG_MASTER_KEY')
  })
})
