import { pausingAfterTrouble } from '../../../lib/batches.ts'
import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { AlertWebhook } from './webhook.service.ts'
import { postDueAlerts } from './webhook.service.ts'

const POLL_MS = 1_000
/** Pause after the receiver accepted nothing, so that it does not make one failing attempt after another. */
const FAILING_PAUSE_MS = 15_000

/** Sends new alerts to the operators' webhook, on a schedule of its own. */
export function startPostingAlerts(
  settings: AlertWebhook & { readonly pollMs?: number; readonly onProblem: (error: unknown) => void },
): Schedule {
  const { pollMs = POLL_MS, onProblem } = settings
  const abort = new AbortController()
  const post = pausingAfterTrouble(FAILING_PAUSE_MS, () => postDueAlerts(settings, abort.signal))
  const schedule = repeat(pollMs, post, onProblem)
  return {
    async stop() {
      abort.abort()
      await schedule.stop()
    },
  }
}
