import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { readWhole } from './whole-request.ts'

const read = (text: string) => readWhole(Buffer.from(text, 'latin1'), new Socket())

const HEAD = 'GET /v2/balance?a=1 HTTP/1.1\r\nHost: h\r\n'

describe('a request in one piece', () => {
  it('is read with its headers in lower case', () => {
    const message = read(`${HEAD}X-Api-Key:  k \r\nConnection: Keep-Alive\r\nAccept:\r\n\r\n`)
    expect(message).toMatchObject({
      method: 'GET',
      url: '/v2/balance?a=1',
      httpVersion: '1.1',
      complete: true,
    })
    expect(message?.headers).toEqual({ host: 'h', 'x-api-key': 'k', connection: 'Keep-Alive', accept: '' })
    expect(message?.whole.length).toBe(0)
  })

  it('is read with the exact bytes of its body', () => {
    const message = read('POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\n\r\n\xff\0')
    expect(message?.whole).toEqual(Buffer.from([0x0d, 0x0a, 0xff, 0x00]))
  })

  it.each([
    ['half a head', 'GET / HTTP/1.1\r\nHost: h\r\n'],
    ['half a body', 'POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nabc'],
    ['another request behind it', `${HEAD}\r\nGET`],
    ['a body without its length', 'POST / HTTP/1.1\r\nHost: h\r\n\r\nabc'],
    ['an older version', 'GET / HTTP/1.0\r\n\r\n'],
    ['another method', 'HEAD / HTTP/1.1\r\n\r\n'],
    ['a method in small letters', 'get / HTTP/1.1\r\n\r\n'],
    ['an address with a host', 'GET http://h/ HTTP/1.1\r\n\r\n'],
    ['an asterisk', 'GET * HTTP/1.1\r\n\r\n'],
    ['no address', 'GET  HTTP/1.1\r\n\r\n'],
    ['two spaces before the address', 'GET  / HTTP/1.1\r\n\r\n'],
    ['a fragment', 'GET /#a HTTP/1.1\r\n\r\n'],
    ['a byte beyond ASCII in the address', 'GET /\xe4 HTTP/1.1\r\n\r\n'],
    ['an empty line before it', `\r\n${HEAD}\r\n`],
    ['a line without a colon', `${HEAD}abc\r\n\r\n`],
    ['a space before a colon', `${HEAD}A : 1\r\n\r\n`],
    ['a folded line', `${HEAD}A: 1\r\n b\r\n\r\n`],
    ['a line that ends with a line feed alone', `${HEAD}A: 1\nB: 2\r\n\r\n`],
    ['a carriage return in a value', `${HEAD}A: 1\rB: 2\r\n\r\n`],
    ['a zero byte in a value', `${HEAD}A: 1\0\r\n\r\n`],
    ['a tab in a value', `${HEAD}A: 1\tb\r\n\r\n`],
    ['a byte beyond ASCII in a value', `${HEAD}A: \xe4\r\n\r\n`],
    ['a name that occurs twice', `${HEAD}host: i\r\n\r\n`],
    ['two lengths', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na'],
    ['a length with a sign', 'POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\na'],
    ['a length with a leading zero', 'POST / HTTP/1.1\r\nContent-Length: 01\r\n\r\na'],
    ['an empty length', 'POST / HTTP/1.1\r\nContent-Length:\r\n\r\n'],
    ['a transfer coding', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['an expectation', 'POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\na'],
    ['an upgrade', `${HEAD}Upgrade: websocket\r\n\r\n`],
    ['a wish to close', `${HEAD}Connection: close\r\n\r\n`],
    ['several connection options', `${HEAD}Connection: keep-alive, upgrade\r\n\r\n`],
    ['an old name for such a wish', `${HEAD}Proxy-Connection: close\r\n\r\n`],
    ['a name of the language', `${HEAD}Constructor: a\r\n\r\n`],
    ['a name with an underscore', `${HEAD}__proto__: a\r\n\r\n`],
    ['a body of more than 4 kB', `POST / HTTP/1.1\r\nContent-Length: 4097\r\n\r\n${'a'.repeat(4_097)}`],
    ['a long head', `${HEAD}A: ${'a'.repeat(9_000)}\r\n\r\n`],
  ])('is left to Node when it has %s', (_, text) => {
    expect(read(text)).toBeUndefined()
  })
})
