import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Span as a collector of OTLP gets it, with its attributes by name. */
export type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Readonly<Record<string, string>>
  /** Process that sent it. */
  instance: string
}

type Attribute = { key: string; value: { stringValue?: string; intValue?: string } }
type Sent = {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: (Omit<Span, 'attributes' | 'instance'> & { attributes: Attribute[] })[] }[]
  }[]
}

/** Collector of traces, which also takes callbacks: it answers every request with 200. */
export type Collector = {
  readonly tracesUrl: string
  readonly callbackUrl: string
  spans(): Span[]
  close(): Promise<void>
}

const TRACES_PATH = '/v1/traces'

export async function openCollector(): Promise<Collector> {
  const spans: Span[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.url === TRACES_PATH) spans.push(...read(JSON.parse(Buffer.concat(chunks).toString('utf8'))))
    response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    tracesUrl: `${origin}${TRACES_PATH}`,
    callbackUrl: `${origin}/callback`,
    spans: () => [...spans],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function read({ resourceSpans }: Sent): Span[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const instance = valuesOf(resource.attributes)['service.instance.id'] ?? ''
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ ...span, attributes: valuesOf(span.attributes), instance })),
    )
  })
}

function valuesOf(attributes: readonly Attribute[]): Record<string, string> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']),
  )
}
