import { queryOf, signRequest } from './signing.ts'

/** Shows the form that sends a request, in staging only. Key and secret are read when it is sent, and kept nowhere. */
export function startTrying(): void {
  const section = document.querySelector<HTMLElement>('[data-try]')
  if (section === null || document.documentElement.dataset.environment !== 'staging') return
  const form = section.querySelector('form')
  const answer = section.querySelector<HTMLElement>('.answer')
  if (form === null || answer === null) return
  section.hidden = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(section, form, answer)
  })
}

async function send(section: HTMLElement, form: HTMLFormElement, answer: HTMLElement): Promise<void> {
  const button = form.querySelector('button')
  if (button) button.disabled = true
  try {
    const response = await request(section, form)
    const text = await response.text()
    show(answer, `${response.status} ${response.statusText}`.trim(), pretty(text))
  } catch (error) {
    show(answer, 'The request was not sent', error instanceof Error ? error.message : String(error))
  } finally {
    if (button) button.disabled = false
  }
}

function request(section: HTMLElement, form: HTMLFormElement): Promise<Response> {
  const method = section.dataset.method ?? 'GET'
  const fields = [...form.querySelectorAll<HTMLInputElement>('input[data-in]')]
  const fieldValue = (name: string) =>
    form.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name="${name}"]`)?.value ?? ''
  const path = fields
    .filter((field) => field.dataset.in === 'path')
    .reduce(
      (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)),
      section.dataset.path ?? '',
    )
  const inQuery = fields.filter((field) => field.dataset.in === 'query')
  const query = queryOf(inQuery.map(({ name, value }) => [name, value] as const))
  const body = fieldValue('try-body')
  const address = path + (query === '' ? '' : `?${query}`)
  const type: Record<string, string> = body === '' ? {} : { 'Content-Type': 'application/json' }
  const content = body === '' ? {} : { body }
  const isSigned = form.querySelector('[name="try-key"]') !== null
  if (!isSigned) return fetch(address, { method, headers: type, ...content, credentials: 'omit' })
  if (crypto.subtle === undefined) {
    throw new Error(
      'This browser signs on secure addresses only: open the page by HTTPS, or on this machine.',
    )
  }
  return signRequest({
    method,
    query,
    body,
    apiKey: fieldValue('try-key'),
    secretBase64: fieldValue('try-secret'),
    timestamp: String(Math.floor(Date.now() / 1000)),
    nonce: crypto.randomUUID(),
  }).then((headers) =>
    fetch(address, { method, headers: { ...headers, ...type }, ...content, credentials: 'omit' }),
  )
}

function show(answer: HTMLElement, title: string, text: string): void {
  const heading = document.createElement('p')
  heading.className = 'answer-title'
  heading.textContent = title
  const block = document.createElement('pre')
  block.tabIndex = 0
  block.textContent = text
  answer.replaceChildren(heading, block)
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
