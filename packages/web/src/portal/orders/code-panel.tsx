import { useState } from 'react'
import { PageLink } from '../../shell/navigation.tsx'
import type { Language } from '../../text/language.ts'
import { useText } from '../../text/language.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Segment } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PLAYGROUND } from './playground-messages.ts'
import type { Order } from './units.ts'

/** Code that makes such an order on a reseller's server, and shows its form on the reseller's page. */
export function CodePanel({ values, order }: { values: OrderValues; order: Order | undefined }) {
  const text = useText(PLAYGROUND)
  const [language, setLanguage] = useState<SnippetLanguage>('node')
  const token = order?.client_token ?? 'CLIENT_TOKEN'
  return (
    <Panel title={text.code} className="code-panel">
      <div className="row wrap">
        <h3>{text.serverPart}</h3>
        <Segment
          label={text.languageOfCode}
          value={language}
          onValue={setLanguage}
          options={SNIPPET_LANGUAGES.map((value) => ({ value, label: SNIPPET_NAMES[value] }))}
        />
      </div>
      <Code text={serverSnippet(language, values)} label={text.serverPart} />
      <h3>{text.pagePart}</h3>
      <Code text={pageSnippet(values.baseUrl, order?.order_id ?? 'ORDER_ID', token)} label={text.pagePart} />
      <p className="sub small">{text.afterPart}</p>
      <p className="sub small">
        {text.originsNote}{' '}
        <PageLink className="link" to="/portal/orders/settings">
          {text.toSettings}
        </PageLink>
      </p>
    </Panel>
  )
}

function Code({ text: code, label }: { text: string; label: string }) {
  const text = useText(PLAYGROUND)
  return (
    <section aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard. */}
      <pre className="code" tabIndex={0}>
        {code}
      </pre>
      <div className="row">
        <CopyButton value={code} label={text.copy} />
      </div>
    </section>
  )
}

/** Languages of the server's part, in the order of their tabs. */
export const SNIPPET_LANGUAGES = ['node', 'curl', 'python', 'php'] as const
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number]

/** Names of the programs, the same in every language. */
const SNIPPET_NAMES: Readonly<Record<SnippetLanguage, string>> = {
  node: 'Node',
  curl: 'curl',
  python: 'Python',
  php: 'PHP',
}

export type OrderValues = {
  readonly baseUrl: string
  readonly language: Language
  /** Code of the one product that may be chosen; undefined: all that the account sells. */
  readonly product: string | undefined
  readonly expiresSeconds: number
  readonly showsResults: boolean
}

const RETURN_URL = 'https://shop.example/return'

/** Server's part: makes an order and hands its id and token to the page. */
function serverSnippet(language: SnippetLanguage, values: OrderValues): string {
  return WRITERS[language](values)
}

/** Members of the order beside reference, customer and return_url. */
function moreOf({ language, product, expiresSeconds, showsResults }: OrderValues): Record<string, unknown> {
  return {
    ...(product === undefined ? {} : { products: [product] }),
    expires_in_seconds: expiresSeconds,
    language,
    ...(showsResults ? { show_results: true } : {}),
  }
}

function memberLines(more: Record<string, unknown>, write: (name: string, json: string) => string): string {
  return Object.entries(more)
    .map(([name, value]) => write(name, JSON.stringify(value)))
    .join('')
}

const WRITERS: Readonly<Record<SnippetLanguage, (values: OrderValues) => string>> = {
  node: (values) => `import { createClient } from '@warung/sdk'

const client = createClient({
  baseUrl: '${values.baseUrl}',
  apiKey: process.env.WARUNG_API_KEY,
  signingSecret: process.env.WARUNG_SIGNING_SECRET,
})

// The same reference twice is the same order: it is safe to send this again.
const { data: order } = await client.createOrder({
  reference: cart.id,
  user_id: customer.id,
  return_url: '${RETURN_URL}',
${memberLines(moreOf(values), (name, json) => `  ${name}: ${json.replaceAll('"', "'")},\n`)}})
render({ order: order.order_id, token: order.client_token })

// Later, when the customer's money is there:
await client.confirmOrder({
  order_id: order.order_id,
  payment_reference: payment.id,
  total_amount: payment.amount,
})
`,
  curl: (values) => `body='${JSON.stringify({
    reference: 'cart-1001',
    user_id: 'u-77',
    return_url: RETURN_URL,
    ...moreOf(values),
  })}'
timestamp=$(date +%s)
nonce=$(openssl rand -hex 16)
body_hash=$(printf '%s' "$body" | openssl dgst -sha256 -binary | openssl base64 -A)
canonical="v1:$timestamp:$nonce:POST::$body_hash"
hex_secret=$(printf '%s' "$WARUNG_SIGNING_SECRET" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
signature=$(printf '%s' "$canonical" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$hex_secret" -binary | openssl base64 -A)
curl -sS '${values.baseUrl}/v2/orders' \\
  -H 'Content-Type: application/json' \\
  -H "X-Api-Key: $WARUNG_API_KEY" \\
  -H "X-Timestamp: $timestamp" \\
  -H "X-Nonce: $nonce" \\
  -H "X-Signature: v1=$signature" \\
  -d "$body"
`,
  python: (values) => `import os
import warung

client = warung.Client(
    "${values.baseUrl}", os.environ["WARUNG_API_KEY"], os.environ["WARUNG_SIGNING_SECRET"]
)

# The same reference twice is the same order: it is safe to send this again.
order = client.create_order({
    "reference": cart.id,
    "user_id": customer.id,
    "return_url": "${RETURN_URL}",
${memberLines(moreOf(values), (name, json) => `    "${name}": ${json.replace('true', 'True')},\n`)}})["data"]
render(order=order["order_id"], token=order["client_token"])

# Later, when the customer's money is there:
client.confirm_order(
    order["order_id"], {"payment_reference": payment.id, "total_amount": payment.amount}
)
`,
  php: (values) => `<?php
$client = new Warung\\Client(
    '${values.baseUrl}',
    getenv('WARUNG_API_KEY'),
    getenv('WARUNG_SIGNING_SECRET'),
);

// The same reference twice is the same order: it is safe to send this again.
$order = $client->createOrder([
    'reference' => $cart->id,
    'user_id' => $customer->id,
    'return_url' => '${RETURN_URL}',
${memberLines(moreOf(values), (name, json) => `    '${name}' => ${json.replaceAll('"', "'")},\n`)}])['data'];
render(order: $order['order_id'], token: $order['client_token']);

// Later, when the customer's money is there:
$client->confirmOrder($order['order_id'], [
    'payment_reference' => $payment->id,
    'total_amount' => $payment->amount,
]);
`,
}

/** Page's part: the script and the element. */
function pageSnippet(baseUrl: string, order: string, token: string): string {
  return `<script type="module" src="${baseUrl}/checkout/warung-checkout.js"></script>

<!-- Your server writes the order's id and its token into the page, for this customer alone. -->
<warung-checkout
  base="${baseUrl}"
  order="${order}"
  token="${token}"
></warung-checkout>
`
}
