import type { IncomingRequest, Method, Operation } from './operation.ts'

// Requests of pages of other origins (CORS). No cookie is involved: callers prove themselves by a header that no page
// sends by itself. So a preflight tells nothing and changes nothing, and every origin gets the same answer to it. The
// operation judges the origin of the request itself.

type Headers = Readonly<Record<string, string>>

/** Seconds for which a browser need not ask again; the longest that the common browsers take. */
const PREFLIGHT_MAX_AGE_S = 7_200

/** Headers of requests that pages of other origins may send. */
const REQUEST_HEADERS = 'Authorization, Content-Type'

/** Headers of answers that such pages may read, beside those that every page may. */
const EXPOSED_HEADERS = 'Retry-After, X-Request-Id'

/** Lists the paths of operations for pages of other origins, each with its methods. */
export function listCrossOrigin(operations: readonly Operation[]): ReadonlyMap<string, readonly Method[]> {
  const paths = new Map<string, Method[]>()
  for (const { path, method, isCrossOrigin } of operations) {
    if (isCrossOrigin) paths.set(path, [...(paths.get(path) ?? []), method])
  }
  return paths
}

/** Returns the headers of the answer to a preflight. */
export function preflightHeaders(methods: readonly Method[]): Headers {
  return {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': REQUEST_HEADERS,
    'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE_S),
  }
}

/** Returns the headers by which pages of one origin, or of every origin, may read an answer. */
export function readableBy(origin: string): Headers {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
    Vary: 'Origin',
  }
}

/** Returns the origin of the page that sent the request; undefined: no page of another origin did. */
export function originOf({ headers }: Pick<IncomingRequest, 'headers'>): string | undefined {
  const { origin } = headers
  return Array.isArray(origin) ? origin.join(', ') : origin
}

/**
 * Tells whether a page of our own sent the request. The browser's header `Sec-Fetch-Site` counts as well as our
 * address: pages cannot write this header, and a service behind a proxy may not know the name by which people reach it.
 */
export function isOwnOrigin(request: Pick<IncomingRequest, 'headers'>, baseUrl: string): boolean {
  const origin = originOf(request)
  if (origin === undefined || request.headers['sec-fetch-site'] === 'same-origin') return true
  return URL.canParse(baseUrl) && origin === new URL(baseUrl).origin
}
