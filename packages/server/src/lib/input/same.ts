/** Compares all members, in any order; an undefined member counts as absent. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const left = membersOf(one)
  const right = membersOf(other)
  return left.size === right.size && [...left].every(([name, value]) => isSame(value, right.get(name)))
}

function membersOf(value: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).filter(([, member]) => member !== undefined))
}
