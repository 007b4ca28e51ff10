import type { IncomingMessage } from 'node:http'
import { get } from 'node:http'
import { from, newAddress } from './clients.ts'
import type { Browser } from './portal/people.ts'
import { until } from './service.ts'

// Open page that reads server-sent events, as a browser's EventSource does.

export type LiveMessage = { readonly event: string; readonly data: Record<string, unknown> }

export type Page = {
  readonly status: number
  readonly messages: readonly LiveMessage[]
  /** Last `id:` that came, which a browser sends when it connects again. */
  lastId(): string | undefined
  /** True when the service has ended the stream. */
  hasEnded(): boolean
  /** Waits for a message. */
  message(event: string, isWanted?: (data: LiveMessage['data']) => boolean): Promise<LiveMessage['data']>
  untilEnded(): Promise<void>
  close(): void
}

/** Opens a page of a person who is signed in; resolves when the service has answered. */
export async function openPage(
  baseUrl: string,
  browser: Pick<Browser, 'side' | 'secret'>,
  lastId?: string,
): Promise<Page> {
  const cookie = { operator: 'warung_operator', portal: 'warung_member' }[browser.side]
  const headers = {
    Cookie: `${cookie}=${browser.secret}`,
    ...from(newAddress()),
    ...(lastId !== undefined && { 'Last-Event-ID': lastId }),
  }
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${baseUrl}/${browser.side}/v1/live`, { headers, agent: false }, resolve).on('error', reject)
  })
  return pageOf(incoming)
}

/** Reads the stream of an answer that has begun. */
export function pageOf(incoming: IncomingMessage): Page {
  const messages: LiveMessage[] = []
  let lastId: string | undefined
  let hasEnded = false
  let text = ''
  incoming.setEncoding('utf8')
  incoming.on('data', (piece: string) => {
    text += piece
    for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
      const lines = text.slice(0, at).split('\n')
      text = text.slice(at + 2)
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
      lastId = field('id') ?? lastId
      const data = field('data')
      if (data !== undefined) messages.push({ event: field('event') ?? '', data: JSON.parse(data) })
    }
  })
  incoming.on('end', () => {
    hasEnded = true
  })
  incoming.on('error', () => {
    hasEnded = true
  })
  const find = (event: string, isWanted: (data: LiveMessage['data']) => boolean) =>
    messages.find((each) => each.event === event && isWanted(each.data))?.data
  return {
    status: incoming.statusCode ?? 0,
    messages,
    lastId: () => lastId,
    hasEnded: () => hasEnded,
    message: (event, isWanted = () => true) =>
      until(`the page is told ${event}`, async () => find(event, isWanted)).catch((error: unknown) => {
        throw new Error(`${String(error)}; it was told ${JSON.stringify(messages)}`)
      }),
    async untilEnded() {
      await until('the stream ends', async () => hasEnded)
    },
    close: () => incoming.destroy(),
  }
}
