import { RequestError } from '../../../lib/errors.ts'
import type { Fault, FaultTarget } from './types.ts'

export type Faults = {
  /** Adds a fault after the existing ones: the first that fits a request hits it. */
  add(fault: Fault): void
  clear(): void
  list(): readonly Fault[]
  /** Returns the fault that hits this request, if any. A fault with no hits left is removed. */
  take(target: FaultTarget, account: string | undefined): Fault | undefined
}

const FAULTS_MAX = 100

export function createFaults(): Faults {
  let faults: readonly Fault[] = []

  return {
    add(fault) {
      if (faults.length >= FAULTS_MAX) {
        throw new RequestError({
          status: 409,
          code: 'too_many_faults',
          publicText: `There are ${FAULTS_MAX} faults.`,
        })
      }
      faults = [...faults, fault]
    },
    clear() {
      faults = []
    },
    list: () => faults,
    take(target, account) {
      const hit = faults.find((fault) => fits(fault, target, account))
      if (hit === undefined) return undefined
      const rest = { ...hit, remaining: hit.remaining - 1 }
      faults = faults.flatMap((fault) => (fault !== hit ? [fault] : rest.remaining > 0 ? [rest] : []))
      return hit
    },
  }
}

function fits(fault: Fault, target: FaultTarget, account: string | undefined): boolean {
  const isHere = fault.target === target || (fault.target === 'all' && target !== 'callback')
  if (!isHere) return false
  return fault.account === null || fault.account === account
}
