import type { Method } from './operation.ts'

/**
 * Methods of routes. HEAD is answered by the route of GET where its operation says so, OPTIONS by the preflight of
 * operations for pages of other origins.
 */
export type RoutedMethod = Method | 'HEAD' | 'OPTIONS'

/** Item found by method and path, such as an operation; `:name` in the path is a parameter. */
export type Routed = { readonly method: RoutedMethod; readonly path: string }

export type Match<Route> =
  | { readonly kind: 'found'; readonly route: Route; readonly params: Params }
  /** Methods that the address takes; an empty list means that the address does not exist. */
  | { readonly kind: 'unmatched'; readonly methods: readonly RoutedMethod[] }
  /** Address that cannot be decoded. */
  | { readonly kind: 'unreadable' }

export type Params = Readonly<Record<string, string>>

export type Router<Route> = { find(method: string, url: string): Match<Route> }

type PathRoutes<Route> = { readonly path: string; readonly byMethod: Map<string, Route> }

/** Most characters of a name in a path; of a longer value the operation sees one more. */
export const PARAMETER_LENGTH_MAX = 200
const NO_PARAMS: Params = Object.freeze({})

/**
 * Finds a route by method and path. Almost every path is fixed: those are looked up as they were sent, before anything
 * is decoded or compared. Paths are exact: letter case and a slash at the end count.
 */
export function createRouter<Route extends Routed>(routes: readonly Route[]): Router<Route> {
  const fixed = new Map<string, PathRoutes<Route>>()
  const open = new Map<string, PathRoutes<Route>>()
  for (const route of routes) {
    const places = route.path.includes('/:') ? open : fixed
    const place = places.get(route.path) ?? { path: route.path, byMethod: new Map() }
    places.set(route.path, place)
    place.byMethod.set(route.method, route)
  }

  return {
    find(method, url) {
      const asSent = fixed.get(beforeQuery(url))
      if (asSent !== undefined) return choose(asSent, method, NO_PARAMS)
      const segments = segmentsOf(url)
      if (segments === undefined) return { kind: 'unreadable' }
      // An encoded slash is part of a name and does not separate two names.
      const place = segments.some((each) => each.includes('/')) ? undefined : fixed.get(segments.join('/'))
      if (place !== undefined) return choose(place, method, NO_PARAMS)
      for (const each of open.values()) {
        const params = matchSegments(each.path.split('/'), segments)
        if (params !== undefined) return choose(each, method, params)
      }
      return { kind: 'unmatched', methods: [] }
    },
  }
}

function choose<Route>({ byMethod }: PathRoutes<Route>, method: string, params: Params): Match<Route> {
  const route = byMethod.get(method)
  if (route !== undefined) return { kind: 'found', route, params }
  return { kind: 'unmatched', methods: ([...byMethod.keys()] as RoutedMethod[]).sort() }
}

function matchSegments(wanted: readonly string[], segments: readonly string[]): Params | undefined {
  if (wanted.length !== segments.length) return undefined
  const params: Record<string, string> = Object.create(null)
  for (const [index, name] of wanted.entries()) {
    const value = segments[index] ?? ''
    if (!name.startsWith(':')) {
      if (value !== name) return undefined
    } else {
      if (value === '') return undefined
      // A longer value is cut one character beyond every name that exists: the operation itself says that it is unknown,
      // to callers that it knows, and in its own form.
      params[name.slice(1)] = value.slice(0, PARAMETER_LENGTH_MAX + 1)
    }
  }
  return params
}

function beforeQuery(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? url : url.slice(0, at)
}

/**
 * Returns the percent-decoded segments without query, fragment and a proxy's absolute form; undefined when they cannot
 * be decoded.
 */
function segmentsOf(url: string): string[] | undefined {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? ''
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return undefined
  }
}
