import type { Html } from '../../../http/reference/html.ts'
import { html } from '../../../http/reference/html.ts'
import { renderPage } from '../../../http/reference/page.ts'
import { formatSeconds } from '../../../lib/dates.ts'
import type { Mail } from '../mail/mail.types.ts'

/** Shows the whole mailbox as one page, newest first. */
export function mailboxPage(mails: readonly Mail[], shownMax: number): string {
  const items = mails.map(
    (mail) => html`<li><a href="/mailbox/${String(mail.id)}">${mail.subject}</a>
<p class="quiet">To ${mail.recipient}, <time datetime="${mail.createdAt.toISOString()}">${time(mail)}</time>${
      mail.status !== 'sent' && html`, ${mail.status}`
    }</p></li>
`,
  )
  const list =
    mails.length === 0
      ? html`<p>No mail yet. A deposit, or a balance that falls below its threshold, brings one.</p>`
      : html`<ul class="links">${items}</ul>`
  return page(
    'Mailbox',
    html`<h1>Mailbox</h1>
<p class="quiet">Mails of this staging service, newest first, at most ${shownMax}. They were sent to nobody.</p>
${list}`,
  )
}

export function mailPage(mail: Mail): string {
  return page(
    mail.subject,
    html`<p><a href="/mailbox">All mails</a></p>
<h1>${mail.subject}</h1>
<dl class="facts">
<dt>To</dt><dd>${mail.recipient}</dd>
<dt>Time</dt><dd><time datetime="${mail.createdAt.toISOString()}">${time(mail)}</time></dd>
<dt>Kind</dt><dd>${mail.kind}</dd>
<dt>Status</dt><dd>${mail.status}</dd>
</dl>
${paragraphs(mail.body)}`,
  )
}

function paragraphs(body: string): Html {
  const parts = body.trim().split(/\n{2,}/)
  return html`${parts.map((part) => {
    const lines = part.split('\n')
    return html`<p>${lines.map((line, index) => html`${index > 0 && html`<br>\n`}${line}`)}</p>\n`
  })}`
}

function time(mail: Mail): string {
  return `${formatSeconds(mail.createdAt)} GMT+8`
}

function page(title: string, body: Html): string {
  return renderPage({
    title: `${title} (staging)`,
    description: 'Mails that a staging service keeps to be looked at',
    body: html`<main id="content" tabindex="-1">
${body}
</main>`,
  })
}
