// A new version of the service has other files: a page that was loaded before does not find the ones that it asks for.

type Failure = {
  /** Frame as the service sends it now; undefined when it does not answer. */
  readonly frame: string | undefined
  /** Address of the script that runs here. */
  readonly script: string
  /** True when the file was asked for before, and did not come then either. */
  readonly isRepeated: boolean
  /** True when this script has led to a new load already. */
  readonly wasReloaded: boolean
}

/** Tells whether a new load can mend that a file did not come. */
export function isMendedByReload({ frame, script, isRepeated, wasReloaded }: Failure): boolean {
  if (frame === undefined) return false
  // Some browsers remember that a file did not come until the document is loaded anew. A person asked again, so that
  // this does not go on by itself.
  return isRepeated || (!wasReloaded && !frame.includes(script))
}

const STORED_AS = 'warung.reloaded'

/** Loads the document anew after a failed import if that helps, once; the promise is then never fulfilled. */
export async function considerReload(isRepeated: boolean): Promise<void> {
  const script = scriptOfPage()
  const mark = `${script} ${location.pathname}`
  const wasReloaded = storedMark() === mark
  const frame = await readFrame()
  if (!isMendedByReload({ frame, script, isRepeated, wasReloaded }) || !keepMark(mark)) return
  location.reload()
  await new Promise(() => {})
}

/** Tells whether the service serves another version than this page is of. */
export async function hasNewVersion(): Promise<boolean> {
  const frame = await readFrame()
  return frame !== undefined && isOtherVersion(frame, scriptOfPage())
}

/** A page of somebody else, such as that of a hotel's network, is no version of ours. */
export function isOtherVersion(frame: string, script: string): boolean {
  return frame.includes('src="/assets/') && !frame.includes(script)
}

function scriptOfPage(): string {
  return document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? ''
}

async function readFrame(): Promise<string | undefined> {
  try {
    const response = await fetch(location.href, { cache: 'no-store', credentials: 'same-origin' })
    return response.ok ? await response.text() : undefined
  } catch {
    return undefined
  }
}

function storedMark(): string | null {
  try {
    return sessionStorage.getItem(STORED_AS)
  } catch {
    return null
  }
}

/** Returns false where nothing can be stored: without the mark the document could be loaded for ever. */
function keepMark(mark: string): boolean {
  try {
    sessionStorage.setItem(STORED_AS, mark)
    return true
  } catch {
    return false
  }
}

/**
 * Removes style sheets that did not come. Vite adds none whose address is in the document already, so that the page
 * would be drawn without them when it is opened again.
 */
export function removeFailedStyles(): () => void {
  const remove = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') target.remove()
  }
  // Errors of files do not bubble.
  document.addEventListener('error', remove, true)
  return () => document.removeEventListener('error', remove, true)
}
