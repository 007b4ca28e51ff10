import type { Page, Request } from 'playwright-core'

/** Read of an API by a page. */
export type Read = {
  /** Path with its query. */
  readonly path: string
  /** Reads of the page that had to be answered before this one began, counted along the longest chain. */
  readonly depth: number
  readonly tookMs: number
}

export type ReadWatch = {
  /** Returns the reads since the last call. */
  take(): Read[]
  /** Forgets the reads so far, also those that have no answer yet: the next page is not to be blamed for them. */
  forget(): void
  /** Number of reads that have no answer yet. */
  underway(): number
}

/** Reads of the frame around every page. No page waits for them, but all wait for the session. */
const OF_THE_FRAME = /^\/(portal|operator)\/v1\/(session|balance|overview)$/
const IS_READ = /^\/(portal|operator)\/v1\/(?!live$)/

/**
 * Watches the reads of a page. A read that begins after another one was answered may have needed that answer, so it
 * counts as one round trip more. The session and the frame's own reads do not count.
 */
export function watchReads(page: Page): ReadWatch {
  let reads: Read[] = []
  let answeredDepth = 0
  let pages = 0
  const known = new Map<string, number>()
  const former = new Set<string>()
  const begun = new Map<Request, { path: string; depth: number; atMs: number; page: number }>()
  const pathOf = (request: Request) => {
    const { pathname, search } = new URL(request.url())
    return IS_READ.test(pathname) ? { pathname, path: pathname + search } : undefined
  }
  page.on('request', (request) => {
    const asked = pathOf(request)
    if (asked === undefined) return
    // The same read once more is no further step: an event has said that something changed meanwhile.
    const depth = OF_THE_FRAME.test(asked.pathname) ? 0 : (known.get(asked.path) ?? answeredDepth + 1)
    known.set(asked.path, depth)
    begun.set(request, { path: asked.path, depth, atMs: performance.now(), page: pages })
  })
  const end = (request: Request) => {
    const one = begun.get(request)
    if (one === undefined) return
    begun.delete(request)
    if (one.page !== pages) return
    // A read of the page before may be renewed while the next one opens, which needs nothing of it.
    if (!former.has(one.path)) answeredDepth = Math.max(answeredDepth, one.depth)
    reads.push({ path: one.path, depth: one.depth, tookMs: performance.now() - one.atMs })
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  function take(): Read[] {
    const taken = reads
    reads = []
    answeredDepth = 0
    for (const path of known.keys()) former.add(path)
    known.clear()
    return taken
  }
  return {
    take,
    forget() {
      pages += 1
      take()
    },
    underway: () => begun.size,
  }
}
