import type { Message } from '../exchange.ts'

type Received = Pick<Message, 'headers' | 'rawHeaders' | 'httpVersion'>

/**
 * Returns the problem with the Host header, or undefined. Node keeps the first of two and a proxy may have used the
 * second, so a request with two is refused. It runs on every request and allocates nothing.
 */
export function hostProblem({ headers, rawHeaders, httpVersion }: Received): string | undefined {
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
