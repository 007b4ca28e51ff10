// The portal's service worker, which keeps the page's files for the time without a connection.

const WORKER = '/portal-worker.js'
const SCOPE = '/portal'
/** Time after the load in which the page's own reads go first. */
const PAUSE_MS = 2_000

type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string }
}

/** Registers the worker once a page is drawn, and names it the files that the page has loaded before. */
export function keepLoaded(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  window.setTimeout(() => void register().catch(() => undefined), PAUSE_MS)
}

async function register(): Promise<void> {
  const { serviceWorker } = navigator
  const isNew = serviceWorker.controller === null
  await serviceWorker.register(trusted(WORKER), { scope: SCOPE, updateViaCache: 'none' })
  if (!isNew) return
  const { active } = await serviceWorker.ready
  const files = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
  active?.postMessage({ page: location.pathname, files })
}

/** The page's policy lets no text become a script; this one address is known. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  const createScriptURL = (asked: string) => {
    if (asked !== WORKER) throw new TypeError('not the address of the worker')
    return asked
  }
  return trustedTypes?.createPolicy('portal-worker', { createScriptURL }).createScriptURL(url) ?? url
}
