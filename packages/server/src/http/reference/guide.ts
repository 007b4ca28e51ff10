import type { Environment } from '../../config.ts'
import type { AuthenticationCode, Line } from './codes.ts'
import { AUTHENTICATION_CODES, LIMITS, OTHER_STATUSES, RESPONSE_HEADERS } from './codes.ts'
import { nodeExample, shellExample, WORKED_EXAMPLE } from './examples.ts'
import type { Html } from './html.ts'
import { breakable, codeBlock, html, inline, table } from './html.ts'
import type { PaymentRemark } from './remarks.ts'
import { PAYMENT_REMARKS } from './remarks.ts'

export type GuideContext = { readonly baseUrl: string; readonly environment: Environment }

export type GuideSection = { readonly id: string; readonly title: string; readonly content: Html }

/** Lists the sections that apply to every operation; they stand before the operations themselves. */
export function guideSections(context: GuideContext): GuideSection[] {
  return [
    { id: 'start', title: 'Before the first request', content: start(context) },
    { id: 'signing', title: 'Signing a request', content: signing(context) },
    { id: 'query', title: 'The query in the signature', content: signedQuery() },
    { id: 'authentication-errors', title: 'Authentication errors', content: authenticationErrors(context) },
    { id: 'tokens', title: 'Bearer tokens (deprecated)', content: tokens() },
    { id: 'errors', title: 'Other errors', content: otherErrors() },
    { id: 'payment-remarks', title: 'Remarks of payments', content: paymentRemarks() },
    { id: 'headers', title: 'Headers of every answer', content: answerHeaders() },
    { id: 'limits', title: 'Limits', content: limits() },
    { id: 'versioning', title: 'Versioning', content: versioning() },
  ]
}

function start(context: GuideContext): Html {
  return html`<p>This is the <strong>${context.environment}</strong> environment. Every path below is at</p>
${codeBlock('Base address', context.baseUrl)}
<p>You need an API key and its signing secret. Both are shown once, when the key is made in the dashboard; a
secret that was lost is replaced by rotating the key. Keep the secret on your server: it is never sent.</p>
<p>Bodies are JSON in UTF-8, both ways. Times are GMT+8 unless a field says otherwise.</p>
`
}

const SIGNING_HEADERS: readonly Line[] = [
  ['`X-Api-Key`', 'Your API key.'],
  ['`X-Timestamp`', "The Unix time in whole seconds, within 5 minutes of the server's."],
  [
    '`X-Nonce`',
    'A text that you use once: 16 to 128 characters of `a-z A-Z 0-9 - _`. A UUID does. It is refused for 10 minutes after it was used, so a retry needs a new one.',
  ],
  ['`X-Signature`', '`v1=` and the signature in Base64.'],
]

function signing(context: GuideContext): Html {
  return html`<p>Every request carries four headers:</p>
${table({ label: 'Signing headers', columns: ['Header', 'Value'], rows: linesOf(SIGNING_HEADERS) })}
<p>To make the signature:</p>
<ol>
<li><strong>Hash the body.</strong> Base64 of the SHA-256 of exactly the bytes you send. Without a body (GET and
DELETE), of the empty string: <code class="wide">47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=</code></li>
<li><strong>Write the canonical string.</strong> Six parts joined by colons, the method in capitals:
${codeBlock('Canonical string', 'v1:{timestamp}:{nonce}:{METHOD}:{query}:{bodyHash}')}
The query is the part after <code>?</code>, with its parameters sorted by key. Without a query that part is empty,
and its colons stay.</li>
<li><strong>Sign it.</strong> HMAC-SHA256 over the canonical string, keyed with the signing secret <em>decoded from
Base64</em>. In Base64, that is the signature.</li>
<li><strong>Send it</strong> as <code>X-Signature: v1=…</code></li>
</ol>
<h3 id="signing-check">Check your own steps</h3>
<p>With these inputs</p>
${codeBlock('Inputs of the worked example', workedInputs())}
<p>every step gives</p>
${codeBlock('Results of the worked example', workedResults())}
<h3 id="signing-shell">With a shell and OpenSSL</h3>
${codeBlock('Shell example', shellExample(context.baseUrl))}
<p>OpenSSL takes the secret on its command line, where other users of the same machine can see it: good for a
try, not for a server.</p>
<h3 id="signing-node">With Node.js</h3>
${codeBlock('Node.js example', nodeExample(context.baseUrl))}
`
}

function workedInputs(): string {
  const { secret, timestamp, nonce, method, body } = WORKED_EXAMPLE
  return [
    `secret     ${secret}`,
    `timestamp  ${timestamp}`,
    `nonce      ${nonce}`,
    `method     ${method}`,
    'query      (none)',
    `body       ${body}`,
  ].join('\n')
}

function workedResults(): string {
  const { bodyHash, canonicalString, signature } = WORKED_EXAMPLE
  return ['Body hash', bodyHash, '', 'Canonical string', canonicalString, '', 'X-Signature', signature].join(
    '\n',
  )
}

function signedQuery(): Html {
  return html`<p>Sign the query as you send it on the wire, sorted by key, without parameters whose value is empty.
Keys are compared character by character by their codes: <code>B</code> before <code>a</code>,
<code>a10</code> before <code>a2</code>. Parameters of the same name stay in the order sent.</p>
<p>HTTP libraries often encode a query anew after it was signed. These readings of the same query are therefore
accepted as well, each sorted by key:</p>
<ul>
<li>percent-decoded, unless a decoded name or value contains <code>&amp;</code>, <code>=</code>, <code>#</code>,
<code>%</code> or <code>+</code>;</li>
<li>form-encoded, with <code>+</code> for a space;</li>
<li>any of them with empty values kept;</li>
<li>any of them with parameters of the same name sorted by value.</li>
</ul>
<p><strong>What was not signed is not read.</strong> Parameters without <code>=</code> never count, and empty ones
only when the signature covers them. Some operations take their parameters in the query of a POST: those are
signed like any other query.</p>
`
}

function authenticationErrors({ environment }: GuideContext): Html {
  return html`<p>A request is judged in the order of this table, and the first thing that is wrong is the answer. The
body is <code>{ error, message }</code>, with the code in <code>error</code>; a 401 also carries
<code>metadata.status_code</code>. Codes are stable, messages are not.</p>
${table({ label: 'Authentication errors', columns: ['Code', 'Cause and remedy'], rows: AUTHENTICATION_CODES.map(codeCells) })}
<p>A nonce is spent only by a request whose signature was right. ${
    environment === 'staging'
      ? html`In this environment <code>invalid_signature</code> also carries <code>debug.canonical_string</code> and
<code>debug.body_hash</code> as the server built them: compare them with yours. <code>debug.hint</code> names the
mistake where it is a usual one, such as a secret that was not decoded.`
      : html`In staging, <code>invalid_signature</code> also carries the canonical string and the body hash as the
server built them: try a new client there.`
  }</p>
<p>If the service cannot judge a request, because its store of nonces or its list of keys is out of reach, it answers
503 and never 401: try again, with a new nonce.</p>
`
}

function codeCells({ code, status, cause, remedy }: AuthenticationCode): [Html, Html] {
  return [
    html`<code>${breakable(code)}</code> <span class="type">${status}</span>`,
    html`<p>${inline(cause)}</p><p><strong>Do:</strong> ${inline(remedy)}</p>`,
  ]
}

function tokens(): Html {
  return html`<p>Integrations made before signed requests may send <code>Authorization: Bearer &lt;ID token&gt;</code>
instead of the signing headers. The ID token is the only one accepted; it lasts 3,600 seconds, and a refresh token
gives new ones for a year. If a request carries both signing headers and a token, the signing headers decide. An
account can refuse payments by token (<code>api_key_required</code>); the setting takes up to 5 minutes to apply.</p>
<p>New integrations sign their requests.</p>
`
}

function otherErrors(): Html {
  return html`<p>Every other trouble is <code>{ message, errors }</code>: <code>errors</code> lists what is wrong by
field, and is empty when no field is at fault. An operation that answers differently says so below.</p>
${table({ label: 'Other statuses', columns: ['Status', 'Meaning'], rows: linesOf(OTHER_STATUSES), byStatus: true })}
`
}

function paymentRemarks(): Html {
  return html`<p>While a payment is under way or has succeeded, <code>data.remarks</code> is the note that you sent. When
it was rejected or failed, it says why: one of these, compared exactly, or the provider's own words.
<strong>Rejected</strong> means that nothing exists and the refid is free; <strong>failed</strong> means that the
payment exists, is final, and its cost is back in the wallet.</p>
${table({ label: 'Remarks of payments', columns: ['Remarks', 'Cause and remedy'], rows: PAYMENT_REMARKS.map(remarkCells) })}
`
}

function remarkCells({ code, remarks, outcome, cause, remedy }: PaymentRemark): [Html, Html] {
  return [
    html`<code>${breakable(remarks)}</code> <span class="type">${code}, ${outcome}</span>`,
    html`<p>${inline(cause)}</p><p><strong>Do:</strong> ${inline(remedy)}</p>`,
  ]
}

function answerHeaders(): Html {
  return table({
    label: 'Headers of every answer',
    columns: ['Header', 'Meaning'],
    rows: linesOf(RESPONSE_HEADERS),
  })
}

function limits(): Html {
  return html`<p>These hold for every request; further limits of an operation stand in its own tables.</p>
${table({ label: 'Limits', columns: ['Limit', 'Value'], rows: linesOf(LIMITS) })}
<p>The operator of an installation may set another rate: <code>RateLimit-Limit</code> is always the one that
holds.</p>
`
}

function versioning(): Html {
  return html`<ul>
<li>Paths carry a major version: <code>/v2</code>, and <code>/v1</code> for the biller list.</li>
<li>Operations whose answers change by date take <code>X-API-Version: YYYY-MM-DD</code> and pick the newest release
dated on or before it. The release used is in the answer's <code>X-API-Version</code>.</li>
<li>A date later than tomorrow (UTC), or a value that is no date, is ignored, and the default holds.</li>
<li>Release <code>2026-09-16</code> (numeric denominations of priced options) becomes the default on 2027-01-11 at
00:00 UTC. The release before it is called <code>2024-01-01</code>.</li>
<li>Fields may be added to answers and events at any time: ignore those you do not know.</li>
<li>Deprecated operations are still served. Their answers carry <code>Deprecation</code> and a <code>Link</code> to
what replaces them; at least 6 months pass between the announcement of an end and the end.</li>
</ul>
`
}

function linesOf(lines: readonly Line[]): [Html, Html][] {
  return lines.map(([term, meaning]) => [inline(term), inline(meaning)])
}
