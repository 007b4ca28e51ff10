import { afterAll, it } from 'vitest'
import { stopServices } from '../service.ts'
import { keepCase, keepInput } from './corpus.ts'
import type { Finding } from './recorder.ts'
import type { Part, RunOptions } from './run.ts'
import { describeFinding, expectNothingFound, PARTS, runFuzz } from './run.ts'
import { openTarget } from './target.ts'

// Body of `npm run test:fuzz`: tools/src/tests/fuzz.ts runs this file, alone, with a database server of its own.

const SEED = Number(process.env.FUZZ_SEED ?? 1)
const MINUTES = Number(process.env.FUZZ_MINUTES ?? 1)
const API = process.env.FUZZ_API

const ROUNDS: RunOptions['rounds'] = {
  resellers: 4,
  portal: 4,
  operator: 4,
  checkout: 4,
  imports: 2,
  suppliers: 1,
  sockets: 1,
}

/** Writes the input of a finding to the corpus; returns the name of its file, if it has one. */
function keep({ fuzzCase, input, problem }: Finding): string | undefined {
  if (fuzzCase !== undefined) return keepCase(fuzzCase, problem)
  return input === undefined ? undefined : keepInput(input, problem)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

afterAll(() => stopServices())

it('nothing that anybody sends breaks the service or its documents', async () => {
  const target = await openTarget()
  const parts = API === undefined ? PARTS : (API.split(',') as Part[])
  const recorder = await runFuzz(target, {
    seed: SEED,
    parts,
    rounds: ROUNDS,
    durationMs: MINUTES * 60_000,
    onFinding(finding) {
      const file = keep(finding)
      print(`FOUND ${describeFinding(finding)}${file === undefined ? '' : `\n  kept as corpus/${file}`}`)
    },
  })
  print(recorder.table())
  print(`never below 300: ${recorder.unreached().join(', ') || 'none'}`)
  print(`seed ${SEED}: ${recorder.requests()} inputs, ${recorder.findings.length} findings`)
  await target.close()
  expectNothingFound(recorder)
})
