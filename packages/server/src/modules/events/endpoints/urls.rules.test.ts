import { describe, expect, it } from 'vitest'
import { refusalOfUrl } from '../../../outbound/targets.rules.ts'
import type { Stream } from '../types.ts'
import { urlProblemOf } from './urls.rules.ts'

const refusalOf = (url: string) => refusalOfUrl(url, [])

function problemOf(stream: Stream, environment: 'staging' | 'production', url: string): string | undefined {
  return urlProblemOf(stream, environment === 'production', refusalOf, url)
}

describe('the schemes that each stream may use', () => {
  it.each([
    ['callback', 'staging', 'http', true],
    ['callback', 'production', 'http', true],
    ['balance', 'staging', 'http', true],
    ['balance', 'production', 'http', false],
    ['catalog', 'staging', 'http', false],
    ['catalog', 'production', 'http', false],
    ['callback', 'production', 'https', true],
    ['balance', 'production', 'https', true],
    ['catalog', 'production', 'https', true],
    ['callback', 'staging', 'ftp', false],
    ['balance', 'staging', 'ws', false],
  ] as const)('%s in %s over %s: %s', (stream, environment, scheme, isTaken) => {
    const problem = problemOf(stream, environment, `${scheme}://shop.example/hook`)
    expect(problem === undefined).toBe(isTaken)
  })

  it.each([
    ['callback', 2_000],
    ['balance', 500],
    ['catalog', 500],
  ] as const)('%s URLs have at most %d characters', (stream, lengthMax) => {
    const start = 'https://shop.example/'
    const longest = start + 'a'.repeat(lengthMax - start.length)
    expect(problemOf(stream, 'production', longest)).toBeUndefined()
    expect(problemOf(stream, 'production', `${longest}a`)).toMatch(String(lengthMax))
  })
})

describe('a URL', () => {
  it.each([
    'https://shop.example',
    'https://shop.example/hook?token=1&x=%20',
    'HTTPS://SHOP.EXAMPLE/',
    'https://kedai-kopi.example:8443/a/b',
    'https://shop.example./hook//twice',
    'https://93.184.216.34/hook',
    'https://[2606:2800:220:1::1]/hook',
    'https://kedai.испытание/hook',
  ])('%s is one', (url) => {
    expect(problemOf('balance', 'production', url)).toBeUndefined()
  })

  it.each([
    ['nothing', ''],
    ['a path', '/hook'],
    ['a name', 'shop.example'],
    ['a scheme alone', 'https:'],
    ['no slashes', 'https:shop.example'],
    ['no host', 'https://'],
    ['a path where the host should be', 'https:///shop.example'],
    ['four slashes', 'https:////shop.example/'],
    ['a name that begins with a dot', 'https://.example/'],
    ['a name with an empty label', 'https://shop..example/'],
    ['a name with an empty label in other letters', 'https://shop\u3002\uff0eexample/'],
    ['dots alone', 'https://../'],
    ['a port that nobody listens at', 'https://shop.example:0/'],
    ['the same in more digits', 'https://shop.example:000/'],
    ['a space', 'https://shop.example/a b'],
    ['a space in front', ' https://shop.example/'],
    ['a line break', 'https://shop.example/\nX: y'],
    ['a tab in the host', 'https://shop\t.example/'],
    ['backslashes', 'https:\\\\shop.example\\hook'],
    ['half a surrogate pair', 'https://shop.example/\ud800'],
    ['a fragment', 'https://shop.example/#a'],
    ['an empty fragment', 'https://shop.example/#'],
    ['a user', 'https://me@shop.example/'],
    ['a password', 'https://me:secret@shop.example/'],
    ['a port beyond ports', 'https://shop.example:65536/'],
    ['loopback', 'https://127.0.0.1/hook'],
    ['loopback in decimal', 'https://2130706433/hook'],
    ['loopback in octal', 'https://0177.0.0.1/hook'],
    ['loopback in hexadecimal', 'https://0x7f.1/hook'],
    ['a private address', 'https://10.1.2.3/hook'],
    ['a link-local address', 'https://169.254.169.254/latest/meta-data'],
    ['carrier-grade NAT', 'https://100.64.0.1/'],
    ['multicast', 'https://224.0.0.1/'],
    ['loopback, version 6', 'https://[::1]/'],
    ['IPv4 in IPv6', 'https://[::ffff:127.0.0.1]/'],
    ['a private address, version 6', 'https://[fd00::1]/'],
  ])('%s is none', (_, url) => {
    expect(problemOf('callback', 'staging', url)).toMatch(/\S/)
  })

  it('a URL that is refused is not repeated in the words: it may carry a token', () => {
    for (const url of ['https://127.0.0.1/?token=sesame', 'ftp://shop.example/sesame', 'sesame']) {
      expect(problemOf('callback', 'staging', url)).not.toContain('sesame')
    }
  })
})
