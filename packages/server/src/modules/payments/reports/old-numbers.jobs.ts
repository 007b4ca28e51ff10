import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { OldNumbersSettings } from './old-numbers.service.ts'
import { readOldNumbers } from './old-numbers.service.ts'

const PAUSE_MS = 60_000

/** Reads the numbers of old payments beside the live service, until all are read. */
export function startReadingOldNumbers(
  settings: OldNumbersSettings & { readonly onProblem: (error: unknown) => void },
): Schedule {
  return repeat(PAUSE_MS, (isStopped) => readOldNumbers(settings, isStopped), settings.onProblem)
}
