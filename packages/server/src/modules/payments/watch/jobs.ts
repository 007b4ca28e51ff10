import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { PaymentWatch } from './service.ts'
import { watchPayments } from './service.ts'

const PAUSE_MS = 60_000

export function startWatchingPayments(
  settings: PaymentWatch & { readonly onProblem: (error: unknown) => void },
): Schedule {
  return repeat(PAUSE_MS, () => watchPayments(settings), settings.onProblem)
}
