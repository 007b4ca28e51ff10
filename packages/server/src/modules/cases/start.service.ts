import type { Cases, CasesSettings } from './service.ts'
import { createCases } from './service.ts'
import type { VoidingSettings } from './voids.jobs.ts'
import { startVoiding } from './voids.jobs.ts'

export type OpenCases = Cases & { close(): Promise<void> }

/** Opens the cases of resellers, and starts the questions to providers that they need. */
export function openCases(settings: CasesSettings & VoidingSettings): OpenCases {
  const voiding = startVoiding(settings)
  return { ...createCases(settings), close: () => voiding.stop() }
}
