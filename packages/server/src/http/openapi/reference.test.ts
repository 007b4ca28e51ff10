import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { documentedOperations } from '../../app/operations.ts'
import { createHmacKey } from '../../lib/secrets/hmac.ts'
import { findSignedQuery, parseSignature } from '../../modules/auth/signing/signing.rules.ts'
import { PUBLIC_REASONS } from '../../modules/payments/fulfil/dispatch.service.ts'
import {
  invalidDenomination,
  invalidFormat,
  REJECTIONS,
} from '../../modules/payments/payment/rejections.rules.ts'
import type { Operation } from '../operation.ts'
import { operation } from '../operation.ts'
import { AUTHENTICATION_CODES } from '../reference/codes.ts'
import { nodeExample, WORKED_EXAMPLE } from '../reference/examples.ts'
import { PAYMENT_REMARKS } from '../reference/remarks.ts'
import { PAGE_POLICY, STYLE } from '../reference/style.ts'
import { errorResponses } from '../schemas.ts'
import { buildOpenApi } from './openapi.ts'
import { renderReference } from './reference.ts'

const OPTIONS = { version: '1.2.3', serverUrl: 'https://api.example.com', environment: 'staging' } as const
const EVIL = `<script>alert("x")</script>'&amp;`

function render(operations: readonly Operation[]): string {
  return renderReference(buildOpenApi(operations, OPTIONS), { environment: 'staging' })
}

const PAGE = render(documentedOperations())

async function nobody(): Promise<never> {
  throw new Error('never called')
}

function matchesOf(page: string, pattern: RegExp): string[] {
  return [...page.matchAll(pattern)].map((match) => String(match[1]))
}

describe('the reference page', () => {
  it('runs nothing and loads nothing', () => {
    expect(PAGE).not.toMatch(/<(script|img|iframe|object|embed|form|base)\b/i)
    expect(PAGE).not.toMatch(/<[^>]+\s(on\w+|style|src|srcset)\s*=/i)
    expect(STYLE).not.toMatch(/url\(|@import|@font-face/i)
    for (const target of matchesOf(PAGE, /\shref="([^"]*)"/g)) expect(target).toMatch(/^(#|\/|data:)/)
  })

  it('carries exactly the style that its policy lets in', () => {
    const styles = matchesOf(PAGE, /<style>([^<]*)<\/style>/g)
    expect(styles).toHaveLength(1)
    const hash = createHash('sha256').update(String(styles[0])).digest('base64')
    expect(PAGE_POLICY).toContain(`style-src 'sha256-${hash}'`)
    expect(PAGE_POLICY).toContain("default-src 'none'")
    expect(PAGE_POLICY).not.toContain('unsafe')
  })

  it('shows whatever an operation says as text, never as markup', () => {
    const page = render([
      operation({
        method: 'POST',
        path: '/v2/things/:id',
        dialect: 'common',
        docs: {
          operationId: 'evil',
          summary: EVIL,
          description: `${EVIL} \`${EVIL}\``,
          tag: EVIL,
          successor: EVIL,
        },
        schemas: {
          params: Type.Object({ id: Type.String({ description: EVIL }) }),
          query: Type.Object({ [EVIL]: Type.String({ pattern: EVIL, default: EVIL }) }),
          body: Type.Object({ [EVIL]: Type.Union([Type.Literal(EVIL), Type.Literal('b')]) }),
          responses: { 200: Type.Object({ [EVIL]: Type.Literal(EVIL) }, { description: EVIL, title: EVIL }) },
        },
        authenticate: nobody,
        handle: nobody,
      }),
    ])
    expect(page).not.toContain('<script')
    expect(page).not.toContain('"x"')
    expect(page.replaceAll('<wbr>', '')).toContain('&lt;script&gt;alert(&quot;x&quot;)')
  })

  it('has headings that never skip a level, and one first heading', () => {
    const levels = matchesOf(PAGE, /<h([1-6])\b/g).map(Number)
    expect(levels.filter((level) => level === 1)).toHaveLength(1)
    for (const [index, level] of levels.entries())
      expect(level).toBeLessThanOrEqual((levels[index - 1] ?? 0) + 1)
  })

  it('has links that all lead somewhere, and no id twice', () => {
    const ids = matchesOf(PAGE, /\sid="([^"]*)"/g)
    expect(new Set(ids).size).toBe(ids.length)
    for (const target of matchesOf(PAGE, /\shref="#([^"]*)"/g)) expect(ids).toContain(target)
  })

  it('lets the keyboard reach its content, its contents and every block that scrolls', () => {
    expect(PAGE).toContain('<a class="skip" href="#content">')
    expect(PAGE).toContain('<nav aria-label="Contents">')
    expect(PAGE).toContain('<main id="content"')
    expect(PAGE).not.toMatch(/<pre(?! tabindex="0")/)
  })

  it('shows every operation with its parameters, fields, answers and an example', () => {
    const page = render([
      operation({
        method: 'PUT',
        path: '/v2/things/:thingId',
        dialect: 'common',
        docs: { operationId: 'putThing', summary: 'Replace a thing', tag: 'Things' },
        schemas: {
          params: Type.Object({ thingId: Type.String({ description: 'Which thing' }) }),
          body: Type.Object({ size: Type.Integer({ maximum: 7, description: 'How large' }) }),
          responses: { 200: Type.Object({ colour: Type.Literal('green') }), ...errorResponses(404) },
        },
        authenticate: nobody,
        handle: nobody,
      }),
    ])
    const words = page.replaceAll(/<[^>]*>/g, '')
    for (const expected of [
      'Replace a thing',
      'PUT /v2/things/{thingId}',
      'Which thing',
      'How large',
      'At most 7',
    ]) {
      expect(words).toContain(expected)
    }
    expect(words).toContain('&quot;colour&quot;: &quot;green&quot;')
    expect(page).toContain('<a href="#schema-Problem">Problem</a>')
  })

  it('sends readers of a deprecated operation to its successor', () => {
    const thing = (path: string, id: string, successor?: string) =>
      operation({
        method: 'GET',
        path,
        dialect: 'common',
        docs: { operationId: id, summary: id, tag: 'Things', ...(successor !== undefined && { successor }) },
        schemas: { responses: { 200: Type.Object({}) } },
        authenticate: nobody,
        handle: nobody,
      })
    const page = render([thing('/v2/new', 'newThing'), thing('/v2/old', 'oldThing', '/v2/new')])
    expect(page).toContain('<a href="#op-newThing"><code>/v2/new</code></a> instead')
  })

  it.each(['light', 'dark'] as const)(
    'keeps a contrast of 4.5 to 1 between text and ground, %s',
    (scheme) => {
      const colours = coloursOf(scheme)
      const texts = ['text', 'quiet', 'accent', 'get', 'post', 'put', 'delete']
      for (const ground of ['page', 'raised']) {
        for (const name of texts) expect(contrast(colours, name, ground), name).toBeGreaterThanOrEqual(4.5)
      }
      for (const name of ['text', 'accent']) {
        expect(contrast(colours, name, 'warning')).toBeGreaterThanOrEqual(4.5)
      }
    },
  )
})

describe('the guide to signing', () => {
  it('works through one of the golden cases', () => {
    const file = new URL('../../../../../vectors/signing.json', import.meta.url)
    const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Record<string, unknown>[] }
    const { secret, timestamp, nonce, method, body, bodyHash, canonicalString, signature } = WORKED_EXAMPLE
    expect(cases.find((each) => each.nonce === nonce)).toMatchObject({
      ...{ secret, timestamp, method, signature, query: '', body: { utf8: body } },
      ...{ body_hash: bodyHash, canonical_string: canonicalString },
    })
  })

  it.each([
    ['as it stands', /$/, ''],
    [
      'with a query and a body',
      /console\.log.*\n$/,
      `console.log(await call('POST', '/v2/x', { query: { b: 'ä + ü', a: '1', c: '' }, body: { name: 'Ürün' } }))`,
    ],
  ])('has a Node.js example whose signature the service accepts, %s', async (_name, pattern, replacement) => {
    const answer = await runAgainstVerifier((url) => nodeExample(url).replace(pattern, replacement))
    expect(answer).toContain('verified: true')
  })

  it('lists the codes of authentication like the guide for integrators, in the same order', () => {
    const guide = readFileSync(new URL('../../../../../docs/api.md', import.meta.url), 'utf8')
    const rows = matchesOf(guide, /^\| \d+ \| `([a-z_]+)` \|/gm)
    expect(rows).toEqual(AUTHENTICATION_CODES.map(({ code }) => code))
  })
})

describe('the remarks of payments', () => {
  const listed = (outcome: 'rejected' | 'failed') =>
    PAYMENT_REMARKS.filter((each) => each.outcome === outcome).map(
      ({ code, remarks }) => `${code} ${remarks}`,
    )

  it('has every rejection with its cause and remedy, and no other', () => {
    const rejections = [...Object.values(REJECTIONS), invalidFormat({}), invalidDenomination('')]
    const told = new Set(rejections.map(({ code, remarks }) => `${code} ${remarks}`))
    expect(listed('rejected').toSorted()).toEqual([...told].toSorted())
  })

  it('has every reason of ours for which a payment fails', () => {
    const told = Object.entries(PUBLIC_REASONS).map(([code, remarks]) => `${code} ${remarks}`)
    expect(listed('failed').toSorted()).toEqual([...told, '53 Refund'].toSorted())
  })

  it('stands on the page', () => {
    const words = PAGE.replaceAll('<wbr>', '')
    expect(words).toContain('id="payment-remarks"')
    for (const { remarks } of PAYMENT_REMARKS) expect(words).toContain(`<code>${remarks}</code>`)
  })
})

/** Runs a program against a server that checks its signature by the service's own rules. */
async function runAgainstVerifier(programFor: (url: string) => string): Promise<string> {
  const secret = randomBytes(32)
  const server = createServer(async (request, response) => {
    const verified = isSigned(request, Buffer.from(await text(request)), secret)
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ verified }))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const directory = mkdtempSync(join(tmpdir(), 'warung-example-'))
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const file = join(directory, 'signed.mjs')
    writeFileSync(file, programFor(url))
    const env = { API_KEY: 'key', SIGNING_SECRET: secret.toString('base64') }
    const child = spawn(process.execPath, [file], { env })
    const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)])
    return output + problems
  } finally {
    rmSync(directory, { recursive: true })
    server.close()
  }
}

function isSigned(request: IncomingMessage, body: Buffer, secret: Buffer): boolean {
  const signature = parseSignature(String(request.headers['x-signature']))
  if (signature === undefined) return false
  const parts = {
    timestamp: String(request.headers['x-timestamp']),
    nonce: String(request.headers['x-nonce']),
    method: String(request.method),
    rawQuery: request.url?.split('?')[1] ?? '',
    body,
  }
  return findSignedQuery(parts, createHmacKey(secret), signature) !== undefined
}

function coloursOf(scheme: 'light' | 'dark'): Map<string, string> {
  const [light = '', dark = ''] = STYLE.split('@media (prefers-color-scheme: dark)')
  const source = scheme === 'light' ? light : dark
  return new Map(
    [...source.matchAll(/--(\w+): (#[0-9a-f]{6});/g)].map((match) => [`${match[1]}`, `${match[2]}`]),
  )
}

function contrast(colours: Map<string, string>, first: string, second: string): number {
  const [a, b] = [luminance(colours.get(first) ?? ''), luminance(colours.get(second) ?? '')]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = matchesOf(colour, /([0-9a-f]{2})/g).map((hex) => {
    const channel = Number.parseInt(hex, 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
