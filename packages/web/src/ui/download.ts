import { ApiProblem, problemOf } from '../api/errors.ts'
import { announceSignedOut } from '../api/signed-out.ts'
import { currentLanguage } from '../text/language.ts'
import { UI } from './messages.ts'
import { problemText } from './problem-text.ts'
import { say } from './toast.tsx'

/** Addresses from which a file is coming: a second click waits for the same file. */
const underway = new Set<string>()

/**
 * Downloads from an address of the service under the name that is given there or here. The page itself asks for the
 * file, once: a browser that follows a link tells nobody when an error comes instead.
 */
export async function download(url: string, name = ''): Promise<void> {
  if (underway.has(url)) return
  underway.add(url)
  try {
    const file = await fileAt(url)
    if (file instanceof ApiProblem) tell(file)
    else saveContent(file.content, file.name || name)
  } finally {
    underway.delete(url)
  }
}

/** Downloads a text that the page has made as a file. */
export function downloadText(text: string, name: string, type = 'text/csv;charset=utf-8'): void {
  // The mark tells spreadsheets that the text is UTF-8.
  saveContent(new Blob(['\uFEFF', text], { type }), name)
}

function saveContent(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
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

/** Returns the file at an address and the name that the service gives it, or what is wrong. */
export async function fileAt(url: string): Promise<{ content: Blob; name: string } | ApiProblem> {
  try {
    const response = await fetch(url, { credentials: 'same-origin', cache: 'no-store' })
    if (!response.ok) return await problemOf(response)
    const disposition = response.headers.get('content-disposition') ?? ''
    return { content: await response.blob(), name: /filename="([^"]+)"/.exec(disposition)?.[1] ?? '' }
  } catch {
    return new ApiProblem('', { status: 0, code: 'no_answer' })
  }
}

function tell(problem: ApiProblem): void {
  if (problem.status === 401) announceSignedOut()
  else say(problemText(problem, UI[currentLanguage()]), 'bad')
}
