import { setTimeout as delay } from 'node:timers/promises'
import type { Edge } from '../http/edge.ts'

/**
 * Manner of a close. `drain`: new connections are accepted for a while, so that a load balancer notices first. `retire`:
 * another process has taken this one's place on the port, which goes on with the open connections for a while.
 */
export type Closing = 'at once' | 'drain' | 'retire'

/** Shortest time that callers have to use their open connections once more, and to be asked to leave. */
const RETIRE_MS_MIN = 2_000

/**
 * Asks callers to leave, and gives them time for it. Each answer closes its connection, so that at the end the idle
 * connections are those that nobody used for all that time.
 */
export async function askToLeave(
  edge: Pick<Edge, 'announceClose' | 'stopListening'>,
  manner: Closing,
  drainMs: number,
): Promise<void> {
  if (manner === 'at once') return
  edge.announceClose()
  if (manner === 'retire') edge.stopListening()
  await delay(manner === 'retire' ? Math.max(drainMs, RETIRE_MS_MIN) : drainMs)
}
