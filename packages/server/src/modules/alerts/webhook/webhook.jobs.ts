import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { AlertWebhook } from './webhook.service.ts'
import { postDueAlerts } from './webhook.service.ts'

const LOOK_MS = 1_000
/** Pause after the receiver accepted nothing, so that it does not make one failing attempt after another. */
const FAILING_PAUSE_MS = 15_000

/** Sends new alerts to the operators' webhook, on a schedule of its own. */
export function startPostingAlerts(
  settings: AlertWebhook & { readonly lookMs?: number; readonly onProblem: (error: unknown) => void },
): Schedule {
  const { lookMs = LOOK_MS, onProblem } = settings
  const abort = new AbortController()
  let pausedUntilMs = 0

  async function post(): Promise<void> {
    if (performance.now() < pausedUntilMs) return
    const came = await postDueAlerts(settings, abort.signal)
    if (came === 'failing') pausedUntilMs = performance.now() + FAILING_PAUSE_MS
  }

  const schedule = repeat(lookMs, post, onProblem)
  return {
    async stop() {
      abort.abort()
      await schedule.stop()
    },
  }
}
