/** Piece of JSON text that `JSON.stringify` would not write, such as `1e400` or `-0`. */
export class RawJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Object that has a name twice, which an ordinary object cannot have. */
export class RepeatedName {
  readonly members: readonly (readonly [string, unknown])[]
  constructor(members: readonly (readonly [string, unknown])[]) {
    this.members = members
  }
}

/** Writes a value that may hold raw pieces. Own members named `__proto__` are written like any other. */
export function writeJson(value: unknown): string {
  if (value instanceof RawJson) return value.text
  if (value instanceof RepeatedName) return writeMembers(value.members)
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (typeof value === 'object' && value !== null) return writeMembers(Object.entries(value))
  return JSON.stringify(value) ?? 'null'
}

function writeMembers(members: readonly (readonly [string, unknown])[]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${writeJson(value)}`).join(',')}}`
}

/** Copies a value of plain JSON. */
export function copyJson<T>(value: T): T {
  return structuredClone(value)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RawJson)
}
