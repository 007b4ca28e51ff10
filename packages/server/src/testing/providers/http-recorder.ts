import type { IncomingMessage, ServerResponse } from 'node:http'
import { serve } from '../outbound.ts'

// Server in a supplier's place that records what it is asked.

export type SeenRequest = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

/** Starts a server that records its requests and gives each the same answer. */
export function record(answer: string | Buffer = '{"status":"pending"}', status = 200) {
  return recordWith(() => [status, answer])
}

/** Starts a server that records its requests and answers each by what it asks. */
export async function recordWith(
  answerTo: (request: SeenRequest) => readonly [status: number, body: string | Buffer],
) {
  const seen: SeenRequest[] = []
  const port = await serve(async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    const asked = { method, url, headers, body: Buffer.concat(chunks).toString() }
    seen.push(asked)
    const [status, body] = answerTo(asked)
    response.writeHead(status).end(body)
  })
  return { url: `http://127.0.0.1:${port}`, seen }
}
