import type { Environment } from '../../../config.ts'
import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { Mailing } from './mail.service.ts'
import { sendDueMails, tidyMails } from './mail.service.ts'
import { makeMails } from './notices.service.ts'
import { mailAlerts } from './operators.service.ts'

const LOOK_MS = 1_000
const TIDY_MS = 30_000
/** No mail gets through: a pause, instead of one connection after the other that fails. */
const UNREACHABLE_PAUSE_MS = 15_000
/** What is on its way when the node stops may still arrive; longer it holds up nothing. */
const STOP_GRACE_MS = 2_000

/** Schedules of their own, so that a mail server that hangs, or many notices, hold up nothing but what is behind them. */
export function startMailing(
  settings: Mailing & {
    readonly environment: Environment
    readonly lookMs?: number
    readonly onProblem: (error: unknown) => void
  },
): Schedule {
  const { lookMs = LOOK_MS, onProblem } = settings
  const abort = new AbortController()
  let isAsked = false
  let pausedUntilMs = 0
  const stop = { isAsked: () => isAsked, signal: abort.signal }

  async function send(): Promise<void> {
    if (performance.now() < pausedUntilMs) return
    const came = await sendDueMails(settings, stop)
    if (came === 'unreachable') pausedUntilMs = performance.now() + UNREACHABLE_PAUSE_MS
  }

  async function make(isStopped: () => boolean): Promise<void> {
    while (!isStopped() && (await makeMails(settings)) > 0);
  }

  const schedules = [
    repeat(lookMs, make, onProblem),
    repeat(lookMs, () => mailAlerts(settings), onProblem),
    repeat(lookMs, send, onProblem),
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
