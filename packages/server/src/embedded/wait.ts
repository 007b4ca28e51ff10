import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 25

/** Returns true as soon as `condition` holds, false when it still does not after `timeoutMs`. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  pollMs = POLL_MS,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    if (await condition()) return true
    if (performance.now() >= deadline) return false
    await delay(pollMs)
  }
}
