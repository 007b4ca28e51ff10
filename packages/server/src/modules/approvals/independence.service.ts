import type { Operator } from '../accounts/types.ts'

/**
 * Whether two operators can be two persons to each other: neither of them, and nobody who let them in, stands behind
 * both. Whoever lets somebody in chooses the address that the first password is mailed to, so that an operator counts
 * as the work of those who made them until a second admin, or somebody at the machine, vouches for them.
 */
export function areIndependent(a: Operator, b: Operator, all: readonly Operator[]): boolean {
  const [behindA, behindB] = [chainOf(a, all), chainOf(b, all)]
  return behindA !== undefined && behindB !== undefined && !behindA.some((id) => behindB.includes(id))
}

/**
 * An operator, who made them what they are, who made those, and so on back to somebody who stands for themselves.
 * undefined: it leads nowhere, because operators let each other in again in a ring.
 */
function chainOf(operator: Operator, all: readonly Operator[]): readonly bigint[] | undefined {
  const found = [operator.id]
  let by = operator.empoweredBy
  while (by !== null) {
    const next = all.find(({ id }) => id === by)
    if (next === undefined || found.includes(next.id)) return undefined
    found.push(next.id)
    by = next.empoweredBy
  }
  return found
}
