import type { Method, Operation } from './operation.ts'

/** Which methods the path of this address takes; none: there is nothing there. */
export function methodsOf(operations: readonly Operation[], url: string): Method[] {
  const path = pathOf(url)
  const methods = operations
    .filter((operation) => patternOf(operation.path).test(path))
    .map((each) => each.method)
  return [...new Set(methods)].sort()
}

/** As the router reads it: without query, fragment and a proxy's absolute form, and percent-decoded. */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? ''
  try {
    // A slash that was encoded is part of a name, not a border between two.
    return path.replace(/(?:%(?!2f)[0-9a-f]{2})+/gi, decodeURIComponent)
  } catch {
    return path
  }
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z]+/g, '[^/]+')
  return new RegExp(`^${escaped}$`)
}
