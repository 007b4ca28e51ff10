import type { Method, Operation } from './operation.ts'

/** Which methods the path of this address takes; none: there is nothing there. */
export function methodsOf(operations: readonly Operation[], url: string): Method[] {
  const path = url.split('?', 1)[0] ?? ''
  const methods = operations
    .filter((operation) => patternOf(operation.path).test(path))
    .map((each) => each.method)
  return [...new Set(methods)].sort()
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z]+/g, '[^/]+')
  return new RegExp(`^${escaped}$`)
}
