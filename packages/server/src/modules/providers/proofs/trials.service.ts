import type { Connections } from '../connections/connections.service.ts'
import type { Trial } from './acts.ts'
import { proveProvider } from './prove.service.ts'
import { insertProofs } from './sql.ts'
import type { Result, Trials } from './types.ts'

export type TrialSettings = Connections & {
  readonly onProblem: (text: string, error: unknown) => void
  /** Longest time for all test orders of one trial. */
  readonly waitMs?: number
}

export type OpenTrials = Trials & { run(trial: Trial): Promise<void> }

const WAIT_MS = 120_000
const UNFINISHED: Result = {
  claim: 'trial',
  result: 'not_tried',
  says: 'it could not be finished; the log of the service says why',
}

/** Makes trials beside the requests that begin them, and keeps their results. */
export function openTrials({ onProblem, waitMs = WAIT_MS, ...connections }: TrialSettings): OpenTrials {
  const running = new Map<string, { readonly startedAt: Date; readonly results: Result[] }>()
  const { database } = connections

  async function tryAll(
    { code, mayBeLiveAddress, supplierCode }: Trial,
    onResult: (result: Result) => void,
  ): Promise<Result[]> {
    try {
      return await proveProvider({ ...connections, code, mayBeLiveAddress, supplierCode, waitMs, onResult })
    } catch (error) {
      onProblem(`what the pack says of ${code} could not be tried`, error)
      return [UNFINISHED]
    }
  }

  return {
    startedAt: (code) => running.get(code)?.startedAt,
    resultsOf: (code) => running.get(code)?.results ?? [],
    async run(trial) {
      const { code, by, startedAt } = trial
      if (running.has(code)) return
      const sofar: Result[] = []
      running.set(code, { startedAt, results: sofar })
      try {
        const results = await tryAll(trial, (result) => sofar.push(result))
        await database.transaction((tx) => insertProofs(tx, { provider: code, by, results }))
      } catch (error) {
        onProblem(`the proofs of ${code} could not be kept`, error)
      } finally {
        running.delete(code)
      }
    },
  }
}
