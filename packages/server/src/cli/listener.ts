import type { Logger } from 'pino'
import { openApp } from '../app.ts'
import type { MetricsSource } from '../http/metrics.ts'
import type { Runtime } from '../runtime.ts'

/** What answers requests: this process itself, or workers that share its port. */
export type Listener = {
  readonly baseUrl: string
  readonly metrics: MetricsSource
  /** Looks once more at the accounts, which may just have been seeded; from here on /readyz says ready. */
  markReady(): Promise<void>
  /** Finishes the requests under way; asked twice, it is done once. */
  close(): Promise<void>
}

/** In this process. */
export async function openListener(runtime: Runtime, logger: Logger): Promise<Listener> {
  const app = await openApp(runtime, logger)
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
