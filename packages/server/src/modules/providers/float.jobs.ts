import type { Schedule } from '../../lib/repeat.ts'
import { repeat } from '../../lib/repeat.ts'
import type { FloatSettings } from './float.service.ts'
import { watchFloats } from './float.service.ts'

/**
 * Interval at which due providers are looked for. The pause between two questions to one provider is a separate
 * setting.
 */
const EVERY_MS = 10_000

export function startWatchingFloats(
  settings: FloatSettings & { everyMs?: number; onProblem: (error: unknown) => void },
): Schedule {
  return repeat(settings.everyMs ?? EVERY_MS, () => watchFloats(settings), settings.onProblem)
}
