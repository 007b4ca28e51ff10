import type { Message } from '../exchange.ts'
import type { AnswerHeaders } from '../respond.ts'
import { html } from './html.ts'
import { renderPage } from './page.ts'
import { PAGE_POLICY } from './style.ts'

/** Paths of the APIs and of supplier callbacks: their callers read JSON, whatever they accept. */
const API_PATH = /^\/(v\d+|operator\/v\d+|portal\/v\d+|checkout\/v\d+|callbacks)(\/|$)/i

const HEADERS: AnswerHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': PAGE_POLICY,
  'Referrer-Policy': 'no-referrer',
}

/** Returns true for a person with a browser: the request is a read and accepts HTML. */
export function wantsPage({ method, url = '', headers }: Message): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return /\btext\/html\b/i.test(headers.accept ?? '') && !API_PATH.test(url)
}

/** Page for every unknown address; it contains nothing of the request. */
export const NOT_FOUND_PAGE = {
  headers: HEADERS,
  body: Buffer.from(
    renderPage({
      title: 'Nothing here',
      description: 'There is nothing at this address',
      body: html`<main id="content" tabindex="-1">
<h1>There is nothing at this address</h1>
<p>Perhaps it was mistyped, or the link is old.</p>
<ul class="links">
<li><a href="/">Start</a><p class="quiet">Where to go from here</p></li>
<li><a href="/docs">Documentation</a><p class="quiet">How to sign a request, and every operation</p></li>
</ul>
</main>`,
    }),
    'utf8',
  ),
} as const
