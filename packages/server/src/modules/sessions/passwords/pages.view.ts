import { createHash } from 'node:crypto'
import { html } from '../../../http/reference/html.ts'
import { renderPage } from '../../../http/reference/page.ts'
import { pagePolicy } from '../../../http/reference/style.ts'

// Pages behind the links of mails. The token stands after the #, which a browser sends to no server; the script sends
// it in the body of the request, together with the password.

export type TokenPage = {
  readonly title: string
  readonly intro: string
  /** Path of the operation that takes the token. */
  readonly request: string
  readonly asksUsername: boolean
  readonly done: string
}

const SCRIPT = `
const form = document.querySelector('form')
const note = document.querySelector('#note')
const token = decodeURIComponent(location.hash.slice(1))
history.replaceState(null, '', location.pathname)
const tell = (text) => { note.textContent = text; note.focus() }
if (token === '') {
  form.hidden = true
  tell('This page needs the whole link from the mail. Open the link again.')
}
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { repeated, ...values } = Object.fromEntries(new FormData(form))
  if (values.password !== repeated) return tell('The two passwords are not the same.')
  const button = form.querySelector('button')
  button.disabled = true
  try {
    const answer = await fetch(form.dataset.request, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token, ...values }),
    })
    if (answer.ok) {
      form.hidden = true
      return tell(form.dataset.done)
    }
    const { message, errors } = await answer.json()
    tell([message, ...Object.values(errors ?? {}).flat()].join(' '))
  } catch {
    tell('The service did not answer. Try again.')
  } finally {
    button.disabled = false
  }
})
`

const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64')

/** Content policy of these pages: this one script, and requests to this service alone. */
export const TOKEN_PAGE_POLICY = pagePolicy([`script-src 'sha256-${SCRIPT_HASH}'`, "connect-src 'self'"])

export function tokenPage({ title, intro, request, asksUsername, done }: TokenPage): string {
  const username = html`<p><label for="username">Name to sign in with</label>
<input id="username" name="username" autocomplete="username" required maxlength="100"></p>
`
  return renderPage({
    title,
    description: intro,
    body: html`<main id="content" tabindex="-1">
<h1>${title}</h1>
<p>${intro}</p>
<p id="note" class="note" role="status" tabindex="-1"></p>
<form data-request="${request}" data-done="${done}">
${asksUsername && username}<p><label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required maxlength="200"></p>
<p><label for="repeated">New password, again</label>
<input id="repeated" name="repeated" type="password" autocomplete="new-password" required maxlength="200"></p>
<p><button type="submit">Set the password</button></p>
</form>
<noscript><p>This page needs JavaScript. The mail names the request that works without it.</p></noscript>
</main>
<script>${{ markup: SCRIPT }}</script>`,
  })
}
