import type { Logger } from 'pino'
import { openApp } from '../app.ts'
import { demoAccounts } from '../demo/accounts.ts'
import type { MetricsSource } from '../http/metrics.ts'
import type { Runtime } from '../runtime.ts'

/** Server of requests: this process itself, or workers that share its port. */
export type Listener = {
  readonly baseUrl: string
  readonly metrics: MetricsSource
  /** Reads the accounts again, because they may just have been seeded. After that /readyz answers ready. */
  markReady(): Promise<void>
  /** Finishes the requests in progress. A second call returns the result of the first one. */
  close(): Promise<void>
}

/** Opens a listener in this process. */
export async function openListener(runtime: Runtime, logger: Logger): Promise<Listener> {
  const app = await openApp(runtime, logger, demoAccounts(runtime.config))
  try {
    const baseUrl = await app.listen()
    let closed: Promise<void> | undefined
    return {
      baseUrl,
      metrics: app.metrics.registry,
      markReady: () => app.markReady(),
      close() {
        closed ??= app.close()
        return closed
      },
    }
  } catch (error) {
    await app.close()
    throw error
  }
}
