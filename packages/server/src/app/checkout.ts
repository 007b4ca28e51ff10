import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { Environment } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { ServedFile } from '../http/files.ts'
import { answerFile, fileOf } from '../http/files.ts'
import type { Answer, Operation } from '../http/operation.ts'
import { html } from '../http/reference/html.ts'
import { renderPage } from '../http/reference/page.ts'
import { PAGE_POLICY } from '../http/reference/style.ts'
import { isOrderCode } from '../modules/checkout/token.rules.ts'
import { findOrderAccount } from '../modules/orders/core/pages.service.ts'
import type { CheckoutSettingsStore } from '../modules/orders/settings/service.ts'
import { compress, pageHeaders, serving, typeOf, unbuilt } from './built-files.ts'

/** Files that `npm run build` makes of packages/checkout. */
export const CHECKOUT_FILES = new URL('../../../checkout/dist/', import.meta.url)
const PAGE = 'page.html'
/** Script that other sites load. */
const SCRIPT = 'warung-checkout.js'
const ASSETS = 'assets'

const SUMMARY = 'Checkout'

export type CheckoutPageOptions = {
  readonly environment: Environment
  /** Returns the sites that may frame the page of an order; undefined: there is no such order. */
  readonly framesOf: (code: string) => Promise<readonly string[] | undefined>
  readonly baseUrl: () => string
  readonly files?: URL
}

/**
 * Builds the operations that serve the hosted page (`/checkout/{order_id}`), the script for other sites
 * (`/checkout/warung-checkout.js`) and the files of both. Before they are built, one says so at all these paths.
 */
export function checkoutPageOperations({
  files = CHECKOUT_FILES,
  ...options
}: CheckoutPageOptions): Operation[] {
  if (!existsSync(new URL(PAGE, files))) return [unbuilt('/checkout/:order', 'The checkout')]
  const page = readPage(new URL(PAGE, files), options.environment)
  return [
    ...listFiles(files).map((name) => fileOperation(files, name)),
    ...(existsSync(new URL(SCRIPT, files)) ? [integrityOperation(files, options.baseUrl)] : []),
    serving('/checkout/:order', SUMMARY, async (_, { order = '' }) => {
      const frames = isOrderCode(order) ? await options.framesOf(order) : undefined
      return frames === undefined ? NO_ORDER : answerPage(page, frames)
    }),
  ]
}

/** Finds the sites that may frame the page of an order: those that its account names. */
export function framesOf(
  database: Database,
  settings: Pick<CheckoutSettingsStore, 'settingsOf'>,
): CheckoutPageOptions['framesOf'] {
  return async (code) => {
    const account = await findOrderAccount(database, code)
    return account === undefined ? undefined : (await settings.settingsOf(account)).allowedOrigins
  }
}

/** Lists the files that browsers load beside the page, without their compressed twins. */
function listFiles(files: URL): string[] {
  const assets = new URL(`${ASSETS}/`, files)
  const names = [
    ...readdirSync(files),
    ...(existsSync(assets) ? readdirSync(assets).map((name) => `${ASSETS}/${name}`) : []),
  ]
  return names.filter((name) => extname(name) !== '.html' && typeOf(name) !== undefined)
}

function fileOperation(files: URL, name: string): Operation {
  let loading: Promise<ServedFile> | undefined
  return serving(`/checkout/${name}`, SUMMARY, async (request) => {
    loading ??= load(new URL(name, files), name)
    return answerFile(await loading, request)
  })
}

async function load(url: URL, name: string): Promise<ServedFile> {
  const bytes = readFileSync(url)
  const headers = { 'Content-Type': typeOf(name) ?? 'application/octet-stream' }
  const isImmutable = name.startsWith(`${ASSETS}/`)
  const file = fileOf(bytes, { headers, isImmutable, compressed: await compress(bytes) })
  return name === SCRIPT ? { ...file, headers: { ...file.headers, ...SCRIPT_HEADERS } } : file
}

/**
 * Headers of the script. Every site may load it, also with a hash to compare it with (integrity), which needs CORS. It
 * is asked for again after a few minutes, so that a new release of the service and its script go together.
 */
const SCRIPT_HEADERS = {
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** Tells the hash of the script that this release serves, for sites that name it where they load the script. */
function integrityOperation(files: URL, baseUrl: () => string): Operation {
  return serving('/checkout/integrity.json', SUMMARY, (request) => {
    const hash = createHash('sha384')
      .update(readFileSync(new URL(SCRIPT, files)))
      .digest('base64')
    const body = { url: `${baseUrl()}/checkout/${SCRIPT}`, integrity: `sha384-${hash}` }
    const headers = { 'Content-Type': 'application/json; charset=utf-8' }
    return answerFile(fileOf(JSON.stringify(body), { headers }), request)
  })
}

/** Reads the page and writes the environment into it, so that it can say that nothing is real in staging. */
function readPage(file: URL, environment: Environment): Buffer {
  const text = readFileSync(file, 'utf8')
  return Buffer.from(text.replace('<html ', `<html data-environment="${environment}" `), 'utf8')
}

/** Pictures of products may lie on any server, because resellers choose them. */
const PICTURES = "'self' https: data:"

/** Answers with the page. It is the same for all orders, but its headers belong to one account. */
function answerPage(page: Buffer, frames: readonly string[]): Answer<Buffer> {
  // Origins have a strict form when they are stored; a value that could end the directive is left out all the same.
  const safe = frames.filter((each) => !/[\s;,]/.test(each))
  const sources = {
    pictures: PICTURES,
    forms: "'none'",
    ...(safe.length > 0 && { frames: safe.join(' ') }),
  }
  return { status: 200, body: page, headers: pageHeaders(sources) }
}

/** Page for an order that does not exist; it contains nothing of the request. */
const NO_ORDER: Answer<Buffer, 404> = {
  status: 404,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': PAGE_POLICY,
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
  },
  body: Buffer.from(
    renderPage({
      title: 'No such order',
      description: 'There is no such order',
      body: html`<main id="content" tabindex="-1">
<h1>There is no such order</h1>
<p>Perhaps the link is old or was cut short. Go back to the shop that sent you here.</p>
<p lang="ms">Tiada pesanan seperti ini. Mungkin pautan sudah lama atau terpotong. Kembali ke kedai yang menghantar anda
ke sini.</p>
</main>`,
    }),
    'utf8',
  ),
}
