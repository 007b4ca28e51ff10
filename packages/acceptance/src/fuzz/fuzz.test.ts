import { afterAll, beforeAll, expect, it } from 'vitest'
import { stopServices } from '../service.ts'
import type { Input } from './corpus.ts'
import { readCorpus, readInputs } from './corpus.ts'
import { createRecorder } from './recorder.ts'
import { replayCase, replayInput } from './replay.ts'
import type { RunOptions } from './run.ts'
import { checkService, expectNothingFound, PARTS, runFuzz } from './run.ts'
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
  resellers: 4,
  portal: 2,
  operator: 2,
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

it('an input that once broke a rule breaks none any more', async () => {
  const recorder = createRecorder(() => {})
  const [kept, inputs] = [readCorpus(), readInputs()]
  for (const fuzzCase of kept) await replayCase(target, fuzzCase, recorder)
  for (const input of inputs) await replayInput(target, input, recorder)
  await checkService(target, recorder)
  expectNothingFound(recorder)
  expect(recorder.requests()).toBe(kept.length + inputs.length)
}, 900_000)

const REFERENCE = 'W1882064086011740756-1'
const SAID = Buffer.from(JSON.stringify({ id: 'evt_1', reference: REFERENCE, status: 'odd' }))
const NO_ANSWER = { how: 'nothing', status: 200, headers: {}, bytes: Buffer.alloc(0) } as const
const HEALTH = Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')

it('a kept input of any part is sent again and judged', async () => {
  const recorder = createRecorder(() => {})
  const inputs: readonly Input[] = [
    // One answer is one too many.
    { part: 'sockets', name: 'health', answersMax: 0, isTrickled: true, bytes: HEALTH },
    { part: 'imports', name: 'pins.csv', bytes: Buffer.from('pin\n"open') },
    { part: 'callbacks', reference: REFERENCE, headers: { 'Content-Type': 'text/plain' }, bytes: SAID },
    {
      part: 'suppliers',
      reference: REFERENCE,
      answers: [NO_ANSWER, { ...NO_ANSWER, how: 'whole', bytes: SAID }],
    },
  ]
  for (const input of inputs) await replayInput(target, input, recorder)
  expect(recorder.findings).toEqual([{ problem: 'health: 1 answers: 200', input: inputs[0] }])
  expect(recorder.requests()).toBe(inputs.length)
}, 900_000)

it(`nothing that anybody sends breaks the service or its documents (FUZZ_SEED=${SEED})`, async () => {
  const recorder = await runFuzz(target, { seed: SEED, parts: PARTS, rounds: ROUNDS })
  expectNothingFound(recorder)
  expect(recorder.requests()).toBeGreaterThan(900)
}, 900_000)
