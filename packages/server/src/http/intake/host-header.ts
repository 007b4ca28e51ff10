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

/** Host of a URL without a name and a password. */
const PLAIN_HOST = /^[^\s@/\\?#]+$/
const ADDRESS = /^(?:\[.*\]|\d+\.\d+\.\d+\.\d+)$/

/**
 * Tells whether nobody else can own the name in the Host header: an address, a name of this machine, a name without a
 * dot, or the name of one of our own URLs. A stranger who owns a name can point it at a private address while a page of
 * theirs is open (DNS rebinding): browsers then let the page read our answers.
 */
export function hasNearHost(
  { host }: Pick<Received['headers'], 'host'>,
  ownUrls: readonly string[],
): boolean {
  if (host === undefined || !PLAIN_HOST.test(host) || !URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  if (ADDRESS.test(hostname) || !hostname.includes('.') || hostname.endsWith('.localhost')) return true
  return ownUrls.some((url) => new URL(url).hostname === hostname)
}
