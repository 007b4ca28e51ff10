import type { IncomingMessage } from 'node:http'
import type { CatalogueCapability } from '../../modules/providers/port/types.ts'
import { open, serve } from '../outbound.ts'
import { leastConfig } from './http-configs.ts'
import { connectHttp } from './http-connection.ts'
import { offerText } from './pack-bench.ts'

// Suppliers with a list of offers.

export type ListAnswer = {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body: unknown
}

const SECRETS = { api_key: 'the-key-4711' }

/** Connects to a supplier that answers each request as told, and keeps what it was asked. */
export async function connectList(
  catalogue: object,
  answers: (url: string, body: string) => ListAnswer,
  currency = 'USD',
) {
  const asked: string[] = []
  const port = await serve(async (request, response) => {
    const body = await bodyOf(request)
    asked.push(`${request.url} ${body}`.trim())
    const { status = 200, headers = {}, body: answer } = answers(request.url ?? '', body)
    response.writeHead(status, headers)
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  const config = { ...leastConfig(), base_url: `http://127.0.0.1:${port}`, currency, catalogue }
  const { catalogue: list } = connectHttp({ config, secrets: SECRETS, outbound: open() })
  if (list === undefined) throw new Error('the connection has no list')
  return { list, asked }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const never = new AbortController().signal

export async function readAll(list: CatalogueCapability) {
  const offers: unknown[] = []
  const unread: string[] = []
  let cursor: string | null = null
  do {
    const page = await list.readPage(cursor, never)
    if (page.kind !== 'page') throw new Error(page.reason)
    offers.push(...page.offers.map(offerText))
    unread.push(...page.unread)
    cursor = page.next
  } while (cursor !== null)
  return { offers, unread }
}

/** Begins a configuration of a list. */
export const get = (path: string, more: object) => ({ method: 'GET', path, ...more })
