import { isSame } from '../../../lib/input/same.ts'
import { isObject } from '../language/reading.rules.ts'

/** A place at which a new version of a pack differs from the connection. */
export type Difference = {
  readonly path: string
  /** Value that stands there, and the pack's; null: nothing. */
  readonly now: unknown
  readonly next: unknown
  /** True: a person changed the place too, and the person's value stays. */
  readonly isKept: boolean
}

export type Merged = { readonly config: unknown; readonly differences: readonly Difference[] }

const PLACES_MAX = 500

/**
 * Brings the changes from `made` to `next` into a configuration that people may have changed since: a place that both
 * changed stays as people made it.
 */
export function mergeConfigs(now: unknown, made: unknown, next: unknown): Merged {
  const differences: Difference[] = []
  const config = merge({ now, made, next }, '', differences)
  return { config, differences: differences.slice(0, PLACES_MAX) }
}

type Three = { readonly now: unknown; readonly made: unknown; readonly next: unknown }

function merge({ now, made, next }: Three, path: string, differences: Difference[]): unknown {
  if (isSame(now, next) || isSame(made, next)) return now
  if (isObject(now) && isObject(next)) {
    const before = isObject(made) ? made : {}
    const names = new Set([...Object.keys(now), ...Object.keys(next)])
    const members = [...names].map((name) => {
      const three = { now: own(now, name), made: own(before, name), next: own(next, name) }
      return [name, merge(three, path === '' ? name : `${path}.${name}`, differences)] as const
    })
    return Object.fromEntries(members.filter(([, value]) => value !== undefined))
  }
  const isKept = !isSame(now, made)
  differences.push({ path: path === '' ? '$' : path, now: now ?? null, next: next ?? null, isKept })
  return isKept ? now : next
}

function own(from: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(from, name) ? from[name] : undefined
}
