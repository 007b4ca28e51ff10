import type { Overview } from '../api/portal.generated.ts'

// Values in the lines about what needs attention, which the service writes in English.

type Item = Pick<Overview['attention'][number], 'text' | 'subject'>

/** Returns the number, or time, that the service's line names. */
export function namedIn({ text }: Item, pattern: RegExp): string {
  return pattern.exec(text)?.[1] ?? ''
}

export function keyEndIn(item: Item, say: (at: string) => string): string {
  const at = namedIn(item, /ends at (\S+Z)/)
  return at === '' ? '' : say(at)
}

export function streamIn({ subject }: Item, names: Readonly<Record<string, string>>): string {
  return names[subject ?? ''] ?? subject ?? ''
}
