import { afterAll, expect, it } from 'vitest'
import { stopServices } from '../service.ts'
import { runFaults } from './run.ts'

// Short run of the fault harness. `npm run test:faults` makes long ones, on a database server of its own.

/** Seed of the plan. The order in which processes run is never the same, so that every run is another one. */
const SEED = Number(process.env.FAULTS_SEED ?? 7)

// A world that could not be opened has processes too.
afterAll(() => stopServices())

it(`no client is told what the books do not hold, whatever breaks (seed ${SEED})`, async () => {
  const report = await runFaults({
    seed: SEED,
    durationMs: 8_000,
    clients: 5,
    nodes: 2,
    resellers: 2,
    // Other tests use the server at the same time: its sessions end, it does not.
    ownsDatabase: false,
  })
  expect(report.stories.join('\n\n')).toBe('')
  expect(report.figures.succeeded).toBeGreaterThan(0)
  expect(report.figures.faults).toBeGreaterThan(0)
}, 400_000)
