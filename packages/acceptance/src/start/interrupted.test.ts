import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterAll, describe, expect, it } from 'vitest'
import { readBalance } from '../clients.ts'
import { findPostmaster, launch, runWarungd } from '../process.ts'
import { environmentOf, makeDirectory, startService, stopServices, until } from '../service.ts'

afterAll(stopServices)

const STEPS = [
  'Warung is starting.',
  'creating the database cluster',
  'starting the database server',
  'applying',
  'opening the service',
  'filling the demo catalogue',
  'writing a month of payments',
]

/** Line of the announcement, which follows on the last step. */
const IS_READY = /^\s*api\s+https?:/m

/** Time limit of a step: filling the database takes seconds, and more on a busy machine. */
const STEP_DEADLINE_MS = 120_000

/**
 * Starts the whole demo, and interrupts it when it has printed that it begins a step, or a later one: the start before
 * may have finished the step, if it was interrupted late.
 */
async function interruptAt(dataDir: string, step: string): Promise<string> {
  const started = launch(environmentOf({ environment: { WARUNG_DEMO: 'all' } }, dataDir))
  const steps = STEPS.slice(STEPS.indexOf(step))
  const hasBegun = () =>
    IS_READY.test(started.output()) || steps.some((each) => started.output().includes(each))
  await until(`it says "${step}"`, async () => hasBegun(), STEP_DEADLINE_MS)
  started.signal('SIGINT')
  expect(await started.ended).toEqual({ code: 0, signal: null })
  return started.output()
}

describe('a start that is interrupted', () => {
  it('tells its steps as they happen, ends at each of them, and leaves nothing running', async () => {
    const dataDir = await makeDirectory()
    for (const step of STEPS.slice(0, 4)) {
      const output = await interruptAt(dataDir, step)
      expect(output).toMatch(/Stopping: the start is cancelled\.\n(.*\n)*Stopped\.\n$/)
      expect(output).not.toContain('api key')
      expect(await findPostmaster(dataDir)).toBeUndefined()
    }
  })

  it(
    'while it fills the database leaves a database that the next start fills',
    async () => {
      const dataDir = await makeDirectory()
      for (const step of STEPS.slice(4)) {
        await interruptAt(dataDir, step)
        expect(await findPostmaster(dataDir)).toBeUndefined()
      }
      const service = await startService({ dataDir, environment: { WARUNG_DEMO: 'all' } })
      expect(await readBalance(service, service.credentials)).toBeGreaterThan(1_000_000)
      expect(await service.stop()).toBe(0)
    },
    4 * STEP_DEADLINE_MS,
  )
})

describe('a command without a service', () => {
  it('makes no database, and says where it looked and what to set', async () => {
    const dataDir = await makeDirectory()
    for (const words of [['reseller', 'list'], ['migrate'], ['ledger', 'verify']]) {
      const { code, stdout, stderr } = await runWarungd(environmentOf({}, dataDir), words)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain(`there is no database in ${dataDir}`)
      expect(stderr).toContain('WARUNG_DATA_DIR')
      expect(stderr).toContain('DATABASE_URL')
    }
    expect(await readdir(dataDir)).toEqual([])
  })

  it('keeps to the .warung of its installation, wherever it is called', async () => {
    const { WARUNG_DATA_DIR: _, ...environment } = environmentOf({}, '')
    const elsewhere = await runWarungd(environment, ['config', '--json'], '', { cwd: tmpdir() })
    const here = await runWarungd(environment, ['config', '--json'])
    const dirOf = ({ stdout }: { stdout: string }) => (JSON.parse(stdout) as { data_dir: string }).data_dir
    expect(dirOf(elsewhere)).toBe(dirOf(here))
    expect(dirOf(elsewhere)).toMatch(/\/\.warung$/)
    expect(dirOf(elsewhere)).not.toContain(tmpdir())
  })
})
