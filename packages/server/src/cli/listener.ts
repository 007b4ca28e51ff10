import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Closing } from '../app/closing.ts'
import { openApp } from '../app.ts'
import type { Config } from '../config.ts'
import { demoAccounts } from '../demo/accounts.ts'
import type { MetricsSource } from '../http/metrics.ts'
import type { Runtime } from '../runtime.ts'

/** Server of requests: this process itself, or workers that share its port. */
export type Listener = {
  readonly baseUrl: string
  readonly metrics: MetricsSource
  /** Reads the accounts again, because they may just have been seeded. After that /readyz answers ready. */
  markReady(): Promise<void>
  /** Replaces the processes that answer requests, one after the other; undefined: there is no other process. */
  readonly reload: (() => Promise<void>) | undefined
  /** Finishes the requests in progress. A second call returns the result of the first one. */
  close(manner?: Closing): Promise<void>
  /** Resolves when a close has sent the last answer. */
  readonly sent: Promise<void>
}

/** Opens a listener in this process. `isReady`: it is ready before it accepts its first connection. */
export async function openListener(
  runtime: Runtime,
  logger: Logger,
  isReady: () => boolean = () => false,
): Promise<Listener> {
  const app = await openApp(runtime, logger, demoAccounts(runtime.config))
  try {
    let ready: Promise<void> | undefined
    const markReady = () => {
      ready ??= app.markReady()
      return ready
    }
    if (isReady()) await markReady()
    const baseUrl = await app.listen()
    let closed: Promise<void> | undefined
    return {
      baseUrl,
      metrics: app.figures,
      markReady,
      reload: undefined,
      close(manner) {
        closed ??= app.close(manner)
        return closed
      },
      sent: app.sent,
    }
  } catch (error) {
    await app.close()
    throw error
  }
}

/** Time added to the limit of a request. */
const GRACE_MS = 2_000

/**
 * Closes a listener. It waits as long as the answers take, and then as long as a request may take: work that is not done
 * by then waits for a database that does not answer, and ends when the connections are closed. `closed` is the rest.
 */
export async function closeListener(
  listener: Listener,
  manner: Closing,
  { requestTimeoutMs }: Config,
): Promise<{ readonly closed: Promise<void> }> {
  const closed = listener.close(manner)
  const late = listener.sent.then(() => delay(requestTimeoutMs + GRACE_MS, undefined, { ref: false }))
  await Promise.race([closed, late])
  return { closed }
}
