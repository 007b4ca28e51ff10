import { afterAll, beforeAll, expect, it } from 'vitest'
import { stopServices } from '../service.ts'
import { readCorpus } from './corpus.ts'
import { createRecorder } from './recorder.ts'
import type { RunOptions } from './run.ts'
import { checkService, expectNothingFound, PARTS, replay, runFuzz } from './run.ts'
import type { Target } from './target.ts'
import { openTarget } from './target.ts'

// Short run of the fuzzer. `npm run test:fuzz` makes long ones.

/**
 * Seed of the run. It is always the same, so that a failure is about the change that is tested. New inputs are looked
 * for by the command, and those that broke a rule stay in corpus/.
 */
const SEED = Number(process.env.FUZZ_SEED ?? 20)

/** Every operation has so many requests, however fast the machine is. */
const ROUNDS: RunOptions['rounds'] = {
  resellers: 3,
  portal: 3,
  operator: 3,
  checkout: 8,
  imports: 3,
  suppliers: 1,
  sockets: 1,
}

let target: Target

beforeAll(async () => {
  target = await openTarget()
})
afterAll(async () => {
  await target?.close()
  await stopServices()
})

it('a request that once broke a rule breaks none any more', async () => {
  const recorder = createRecorder(() => {})
  const kept = readCorpus()
  await replay(target, kept, recorder)
  await checkService(target, recorder)
  expectNothingFound(recorder)
  expect(recorder.requests()).toBe(kept.length)
}, 900_000)

it(`nothing that anybody sends breaks the service or its documents (FUZZ_SEED=${SEED})`, async () => {
  const recorder = await runFuzz(target, { seed: SEED, parts: PARTS, rounds: ROUNDS })
  expectNothingFound(recorder)
  expect(recorder.requests()).toBeGreaterThan(900)
}, 900_000)
