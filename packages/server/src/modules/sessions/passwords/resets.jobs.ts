import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import { answerResetRequests } from './passwords.service.ts'

const POLL_MS = 1_000

/** Answers requests for a new password. Any node may take a request. */
export function startAnsweringResets(
  sessions: SessionsOptions,
  onProblem: (error: unknown) => void,
): Schedule {
  return repeat(
    POLL_MS,
    async (isStopped) => {
      while (!isStopped() && (await answerResetRequests(sessions)) > 0);
    },
    onProblem,
  )
}
