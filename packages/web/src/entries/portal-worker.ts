// Service worker of the portal. It keeps the frame of the pages and their files, which are the same for everybody, so
// that the app opens without a connection. It touches no API: no answer, and nothing of any person, is ever kept here.

type Lasting = Event & { waitUntil(work: Promise<unknown>): void }
type Asked = Lasting & { readonly request: Request; respondWith(answer: Promise<Response>): void }

type Scope = {
  readonly location: Location
  readonly clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void
  addEventListener(type: 'fetch', listener: (event: Asked) => void): void
  addEventListener(type: 'message', listener: (event: Lasting & { readonly data: unknown }) => void): void
}

const scope = globalThis as unknown as Scope

const CACHE = 'warung.portal'
/** Name of the frame, which is the same at every page. */
const FRAME = '/portal'
/** Files that are kept: those of two versions at least. The oldest go first. */
const FILES_MAX = 400

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))

scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== scope.location.origin) return
  if (request.mode === 'navigate' && isPage(pathname)) event.respondWith(openFrame(event))
  else if (isFile(pathname)) event.respondWith(openFile(event, pathname))
})

// The first page was loaded before this worker was there: it names its files, which the browser still has.
scope.addEventListener('message', (event) => {
  const { page, files } = event.data as { readonly page: string; readonly files: readonly string[] }
  event.waitUntil(
    Promise.all([keepLoaded(page, FRAME), ...files.filter(isFile).map((each) => keepLoaded(each, each))]),
  )
})

function isPage(path: string): boolean {
  return (path === FRAME || path.startsWith(`${FRAME}/`)) && !path.startsWith(`${FRAME}/v1/`)
}

function isFile(path: string): boolean {
  return path.startsWith('/assets/')
}

/** Answers with the frame as it is now, so that a new version shows at once; with the kept one where none comes. */
async function openFrame(event: Asked): Promise<Response> {
  const kept = () => caches.match(FRAME)
  try {
    const answer = await fetch(event.request)
    if (answer.ok && !answer.redirected) event.waitUntil(keep(FRAME, answer.clone()))
    // A proxy whose service is away answers in its place.
    return answer.status === 502 || answer.status === 504 ? ((await kept()) ?? answer) : answer
  } catch (error) {
    const frame = await kept()
    if (frame === undefined) throw error
    return frame
  }
}

/** Answers with the kept file: its name carries a digest of its contents. */
async function openFile(event: Asked, path: string): Promise<Response> {
  const kept = await caches.match(path)
  if (kept !== undefined) return kept
  const answer = await fetch(event.request)
  if (answer.ok) event.waitUntil(keep(path, answer.clone()))
  return answer
}

async function keepLoaded(path: string, name: string): Promise<void> {
  const answer = await fetch(path, { cache: 'force-cache' })
  if (answer.ok && !answer.redirected) await keep(name, answer)
}

async function keep(name: string, answer: Response): Promise<void> {
  const cache = await caches.open(CACHE)
  await cache.put(name, answer)
  const keys = await cache.keys()
  const files = keys.filter(({ url }) => isFile(new URL(url).pathname))
  await Promise.all(files.slice(0, Math.max(0, files.length - FILES_MAX)).map((each) => cache.delete(each)))
}
