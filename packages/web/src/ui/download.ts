import { ApiProblem, problemOf } from '../api/errors.ts'
import { announceSignedOut } from '../api/signals.ts'
import { textOf } from '../text/language.ts'
import { UI } from './messages.ts'
import { problemText } from './problem-text.ts'
import { say } from './toast.tsx'

/**
 * Downloads from an address of the service under the name that is given there or here. The browser saves the file while
 * it comes and tells nobody when an error comes instead, so that the address is tried before.
 */
export async function download(url: string, name = ''): Promise<void> {
  const problem = await problemAt(url)
  if (problem !== undefined) return tell(problem)
  await new Promise((resolve) => window.setTimeout(resolve, TRIAL_ENDS_MS))
  save(url, name)
}

/** Downloads a text that the page has made as a file. */
export function downloadText(text: string, name: string, type = 'text/csv;charset=utf-8'): void {
  // The mark tells spreadsheets that the text is UTF-8.
  const url = URL.createObjectURL(new Blob(['\uFEFF', text], { type }))
  save(url, name)
  // The browser has taken the contents once the click is handled.
  window.setTimeout(() => URL.revokeObjectURL(url), 0)
}

/** Has every link that downloads from the service say why when it cannot. */
export function checkDownloads(): () => void {
  const click = (event: MouseEvent) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[download]') : null
    if (link === null || event.defaultPrevented || event.button !== 0 || hasModifier(event)) return
    if (new URL(link.href).origin !== location.origin || link.protocol === 'blob:') return
    event.preventDefault()
    void download(link.href, link.download)
  }
  document.addEventListener('click', click)
  return () => document.removeEventListener('click', click)
}

function hasModifier({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey || altKey
}

function save(url: string, name: string): void {
  // The link is in no document, so that nobody else sees the click.
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

/** Time in which the service notices that a trial was broken off: an account may be sent few files at once. */
const TRIAL_ENDS_MS = 100

/** Returns what is wrong with an address; undefined when a file begins to come from it, which is then broken off. */
export async function problemAt(url: string): Promise<ApiProblem | undefined> {
  const trial = new AbortController()
  try {
    const response = await fetch(url, { credentials: 'same-origin', cache: 'no-store', signal: trial.signal })
    return response.ok ? undefined : await problemOf(response)
  } catch {
    return new ApiProblem('', { status: 0, code: 'no_answer' })
  } finally {
    trial.abort()
  }
}

function tell(problem: ApiProblem): void {
  if (problem.status === 401) announceSignedOut()
  else say(problemText(problem, textOf(UI)), 'bad')
}
