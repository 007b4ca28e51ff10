import { randomInt } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { readBalance } from '../clients.ts'
import { credentialsOf } from '../http.ts'
import { findPostmaster, killPostmaster, launch } from '../process.ts'
import { environmentOf, makeDirectory, startService, stopServices, until } from '../service.ts'
import { getTokens } from '../tokens.ts'

afterAll(stopServices)

const KILLS = 6

/** Kills the service at some moment of the start. The moment decides what is left on the disk. */
async function killWhileStarting(dataDir: string, afterMs: number): Promise<string> {
  const started = launch(environmentOf({}, dataDir))
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  started.signal('SIGKILL')
  await started.ended
  return `killed after ${afterMs} ms:\n${started.output()}`
}

it('a start that was killed again and again on its way ends in a service like any other', async () => {
  const dataDir = await makeDirectory()
  const story: string[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    story.push(await killWhileStarting(dataDir, randomInt(50, 400 + 300 * kill)))
    // Every second time the database server is killed too.
    if (kill % 2 === 1) await killPostmaster(dataDir, 'SIGKILL')
  }
  const service = await startService({ dataDir }).catch((error: Error) => {
    throw new Error([...story, error.message].join('\n\n'))
  })
  expect(service.demo.resellers).toHaveLength(2)
  for (const reseller of service.demo.resellers) {
    expect(await readBalance(service, credentialsOf(reseller))).toBeGreaterThan(100_000)
    await getTokens(service, reseller)
  }
  const { resellers } = await service.warungd<{ resellers: { account: string }[] }>('reseller', 'list')
  expect(resellers.map((each) => each.account)).toEqual(service.demo.resellers.map((each) => each.account))

  expect(await service.stop()).toBe(0)
  expect(await findPostmaster(dataDir)).toBeUndefined()
})

it('a service that was killed in the middle of each start loses no deposit', async () => {
  const dataDir = await makeDirectory()
  let service = await startService({ dataDir })
  const [reseller] = service.demo.resellers
  const money = ['--amount', '7', '--remarks', 'Acceptance']
  await service.warungd('deposit', '--reseller', reseller?.account ?? '', ...money)
  await service.kill9()
  for (let kill = 0; kill < KILLS / 2; kill += 1) {
    await killWhileStarting(dataDir, randomInt(50, 1_000))
    await killPostmaster(dataDir, 'SIGKILL')
    await until('it is gone', async () => (await findPostmaster(dataDir)) === undefined)
  }
  service = await startService({ dataDir })
  expect(await readBalance(service, service.credentials)).toBe(1_250_007)
})
