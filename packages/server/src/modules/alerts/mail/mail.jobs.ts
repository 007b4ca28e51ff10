import { pausingAfterTrouble } from '../../../lib/batches.ts'
import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { Mailing } from './mail.service.ts'
import { sendDueMails, tidyMails } from './mail.service.ts'
import { makeMails } from './notices.service.ts'
import type { OperatorMailSettings } from './operators.service.ts'
import { mailAlerts } from './operators.service.ts'

const POLL_MS = 1_000
const TIDY_MS = 30_000
/** Pause after no mail got through, so that it does not try one failing connection after another. */
const UNREACHABLE_PAUSE_MS = 15_000
/** Time for mails that are being sent when the node stops. They may still arrive; after it they are broken off. */
const STOP_GRACE_MS = 2_000

/**
 * Starts the jobs, each on a schedule of its own. A mail server that hangs, or many notices, delay only their own
 * queue.
 */
export function startMailing(
  settings: Mailing &
    OperatorMailSettings & {
      readonly pollMs?: number
      readonly onProblem: (error: unknown) => void
    },
): Schedule {
  const { pollMs = POLL_MS, onProblem } = settings
  const abort = new AbortController()
  let isAsked = false
  const stop = { isAsked: () => isAsked, signal: abort.signal }
  const send = pausingAfterTrouble(UNREACHABLE_PAUSE_MS, () => sendDueMails(settings, stop))

  async function make(isStopped: () => boolean): Promise<void> {
    while (!isStopped() && (await makeMails(settings)) > 0);
  }

  const schedules = [
    repeat(pollMs, make, onProblem),
    repeat(pollMs, () => mailAlerts(settings), onProblem),
    repeat(pollMs, send, onProblem),
    repeat(TIDY_MS, () => tidyMails(settings), onProblem),
  ]
  return {
    async stop() {
      isAsked = true
      const grace = setTimeout(() => abort.abort(), STOP_GRACE_MS)
      await Promise.all(schedules.map((each) => each.stop()))
      clearTimeout(grace)
    },
  }
}
