import { expect } from 'vitest'
import { createPayer, reload } from '../payments.ts'
import type { Api } from '../recording.ts'
import { until } from '../service.ts'
import { fuzzImports } from './imports.ts'
import { growthProblem, mistakesIn, residentMb } from './judge.ts'
import { fuzzApi } from './operations.ts'
import type { Finding, Recorder } from './recorder.ts'
import { createRecorder } from './recorder.ts'
import { fuzzSockets } from './sockets.ts'
import type { PartOptions } from './suppliers-part.ts'
import { fuzzSuppliers } from './suppliers-part.ts'
import type { Target } from './target.ts'
import { KEPT_PRODUCT } from './target.ts'

/** Parts of a run. Each is a list of inputs of its own, so that one can be run alone. */
export const PARTS = [
  'resellers',
  'portal',
  'operator',
  'checkout',
  'imports',
  'suppliers',
  'sockets',
] as const
export type Part = (typeof PARTS)[number]

export type RunOptions = {
  readonly seed: number
  readonly parts: readonly Part[]
  /** Rounds of each part: in each round every operation has one request. */
  readonly rounds: Readonly<Record<Part, number>>
  /** Time after which no further round begins; the rounds then only bound it from below. */
  readonly durationMs?: number
  onFinding?(finding: Finding): void
}

const APIS: Readonly<Record<Exclude<Part, 'imports' | 'suppliers' | 'sockets'>, Api>> = {
  resellers: 'reseller',
  portal: 'portal',
  operator: 'operator',
  checkout: 'checkout',
}

const SAMPLE_MS = 500

/** Runs the parts beside each other: a service in use has all of this at once. */
export async function runFuzz(target: Target, options: RunOptions): Promise<Recorder> {
  const recorder = createRecorder((finding) => options.onFinding?.(finding))
  const samplesMb: number[] = []
  const sampling = setInterval(() => {
    residentMb(target.service.pid).then(
      (mb) => samplesMb.push(mb),
      () => {},
    )
  }, SAMPLE_MS)
  const startedMs = performance.now()
  const goesOn = (part: Part) => (round: number) =>
    round < options.rounds[part] || performance.now() - startedMs < (options.durationMs ?? 0)
  try {
    await Promise.all(
      options.parts.map((part) =>
        runPart(target, part, { seed: options.seed, recorder, goesOn: goesOn(part) }),
      ),
    )
  } finally {
    clearInterval(sampling)
  }
  const growth = growthProblem(samplesMb)
  if (growth !== undefined) recorder.find({ problem: growth })
  await checkService(target, recorder)
  return recorder
}

function runPart(target: Target, part: Part, options: PartOptions): Promise<void> {
  switch (part) {
    case 'imports':
      return fuzzImports(target, options)
    case 'suppliers':
      return fuzzSuppliers(target, options)
    case 'sockets':
      return fuzzSockets(target, options)
    default:
      return fuzzApi(target, APIS[part], options)
  }
}

/** After everything the service is alive, has logged no mistake of its own, takes a payment, and its books are right. */
export async function checkService({ service }: Target, recorder: Recorder): Promise<void> {
  const payer = await createPayer(service, '100')
  await payer.untilStatus(reload({ product: KEPT_PRODUCT }), 'Succesful').catch((error: Error) => {
    recorder.find({ problem: `the payment at the end: ${error.message}` })
  })
  const { code, stdout, stderr } = await service.tryWarungd('ledger', 'verify', '--json')
  if (code !== 0) recorder.find({ problem: `ledger verify: ${stdout}${stderr}`.slice(0, 2_000) })
  const marker = (await service.get('/marker')).headers['x-request-id']
  await until('the log has everything up to now', async () => service.output().includes(String(marker)))
  for (const line of mistakesIn(service.output())) recorder.find({ problem: `log: ${line}` })
}

/** Words of a finding for a person. */
export function describeFinding({ problem, fuzzCase, answer }: Finding): string {
  const request =
    fuzzCase === undefined
      ? ''
      : `${fuzzCase.operation} (${fuzzCase.kind}, ${fuzzCase.note}) ${JSON.stringify(fuzzCase.path)} ?${fuzzCase.query.slice(0, 300)} ${JSON.stringify(fuzzCase.headers).slice(0, 300)}\n  body: ${fuzzCase.body?.subarray(0, 400).toString('latin1') ?? ''}\n  `
  return `${request}${problem}${answer === undefined ? '' : `\n  answer: ${answer.slice(0, 600)}`}`
}

export function expectNothingFound(recorder: Recorder): void {
  expect(recorder.findings.map(describeFinding).join('\n\n')).toBe('')
}
