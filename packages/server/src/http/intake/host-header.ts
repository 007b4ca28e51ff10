import type { IncomingMessage } from 'node:http'

type Received = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>

/**
 * What is wrong with the Host header; undefined when nothing is. Of two, Node keeps the first and a proxy may have
 * looked at the second, so a request that has two is refused. Asked on every request: it allocates nothing.
 */
export function hostTrouble({ headers, rawHeaders, httpVersion }: Received): string | undefined {
  if (headers.host === undefined) {
    return httpVersion === '1.1' ? 'The Host header is missing.' : undefined
  }
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count > 1 ? 'There is more than one Host header.' : undefined
}
