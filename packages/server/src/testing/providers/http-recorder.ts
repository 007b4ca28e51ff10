import type { IncomingMessage, ServerResponse } from 'node:http'
import { serve } from '../outbound.ts'

// Server in a supplier's place that records what it is asked.

export type SeenRequest = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

/** Starts a server that records its requests and gives each the same answer. */
export async function record(answer = '{"status":"pending"}', status = 200) {
  const seen: SeenRequest[] = []
  const port = await serve(async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
    response.writeHead(status).end(answer)
  })
  return { url: `http://127.0.0.1:${port}`, seen }
}
