import { appendFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'

export type Api = 'reseller' | 'operator' | 'portal' | 'checkout'

/** Request, as far as documents describe it. */
export type Asked = {
  readonly method?: string | undefined
  readonly path: string
  readonly body?: unknown
}

export type Answered = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
}

/** Operation of a document, with the names and values of the requested path. */
export type Found<Operation extends { readonly operationId: string } = { readonly operationId: string }> = {
  readonly api: Api
  readonly operation: Operation
  readonly path: Readonly<Record<string, string>>
}

/** Directory in which `npm run examples` wants every exchange that could become an example of the documents. */
const DIRECTORY = process.env.WARUNG_RECORD_EXAMPLES

const LENGTH_MAX = 200_000

/** Keeps an exchange that succeeded; npm run examples chooses among them. */
export function recordExchange({ api, operation, path }: Found, input: Asked, answer: Answered): void {
  if (DIRECTORY === undefined || answer.status >= 300 || answer.headers['content-encoding'] !== undefined)
    return
  const isText = input.body === undefined || typeof input.body === 'string'
  if (!isText || answer.bytes.length > LENGTH_MAX) return
  const query = Object.fromEntries(new URLSearchParams(input.path.split('?')[1] ?? ''))
  const line = {
    api,
    id: operation.operationId,
    parameters: { ...path, ...query },
    request: input.body,
    status: answer.status,
    type: String(answer.headers['content-type'] ?? '').split(';', 1)[0],
    body: answer.text,
  }
  appendFileSync(join(DIRECTORY, `${process.pid}.jsonl`), `${JSON.stringify(line)}\n`)
}
