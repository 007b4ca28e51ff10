import type { Found, SearchIndex } from '../search/search.ts'
import { search } from '../search/search.ts'
import { loadOnce } from './load-once.ts'

const RESULTS_MAX = 12

async function loadIndex(): Promise<SearchIndex> {
  const answer = await fetch(document.body.dataset.index ?? '')
  if (!answer.ok) throw new Error(`the index of the search: ${answer.status}`)
  return answer.json()
}

/** Starts the search. The index is loaded when the field is first used. */
export function startSearch(): void {
  const form = document.querySelector<HTMLFormElement>('form.search')
  const input = document.querySelector<HTMLInputElement>('#search')
  const list = document.querySelector<HTMLElement>('#found')
  const count = document.querySelector<HTMLElement>('#found-count')
  if (form === null || input === null || list === null || count === null) return
  form.hidden = false
  let chosen = -1

  const load = loadOnce(loadIndex)
  const items = () => [...list.querySelectorAll<HTMLElement>('[role=option]')]
  const choose = (at: number) => {
    const all = items()
    chosen = all.length === 0 ? -1 : (at + all.length) % all.length
    for (const [index, item] of all.entries()) item.setAttribute('aria-selected', String(index === chosen))
    const current = all[chosen]
    current?.scrollIntoView({ block: 'nearest' })
    if (current === undefined) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', current.id)
  }
  const close = () => {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
    chosen = -1
  }
  /** Tells screen readers the result. A problem is visible too. */
  const tell = (text: string, isProblem = false) => {
    count.textContent = text
    count.classList.toggle('hide', !isProblem)
  }
  const show = (found: readonly Found[]) => {
    list.replaceChildren(...found.map(itemOf))
    const isEmpty = input.value.trim() === ''
    list.hidden = isEmpty || found.length === 0
    input.setAttribute('aria-expanded', String(!list.hidden))
    if (isEmpty || found.length > 0) tell(isEmpty ? '' : `${found.length} results`)
    else tell('Nothing was found. Try one word of it, or a code such as Out_Of_Stock.', true)
    if (!list.hidden) choose(0)
  }
  const update = async () => {
    try {
      const index = await load()
      show(search(index, input.value, RESULTS_MAX))
    } catch {
      // The next letter tries again.
      close()
      tell('The search could not be loaded. Type on to try again.', true)
    }
  }
  const openChosen = () => {
    const link = items()[chosen]?.querySelector('a')
    if (link) location.assign(link.href)
  }

  // A failure shows at the first letter.
  input.addEventListener('focus', () => void load().catch(() => {}))
  input.addEventListener('input', () => void update())
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1)
    else if (event.key === 'ArrowUp') choose(chosen - 1)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    openChosen()
  })
  form.addEventListener('focusout', (event) => {
    if (!form.contains(event.relatedTarget as Node | null)) close()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
}

function itemOf({ page, title, url, snippet }: Found, at: number): HTMLElement {
  const item = document.createElement('li')
  item.setAttribute('role', 'option')
  item.id = `found-${at}`
  const link = document.createElement('a')
  link.href = url
  link.tabIndex = -1
  const heading = document.createElement('strong')
  heading.textContent = title === '' ? page : title
  const place = document.createElement('span')
  place.className = 'place'
  place.textContent = title === '' ? '' : page
  const text = document.createElement('span')
  text.className = 'snippet'
  text.textContent = snippet
  link.append(heading, place, text)
  item.append(link)
  return item
}
