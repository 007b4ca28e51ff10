import { describe, expect, it } from 'vitest'
import { LOGO, LOGO_BYTES_MAX } from './logo.rules.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)

function withSide(width: number, height: number): Buffer {
  const bytes = Buffer.from(PNG)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'.padEnd(80))

describe('a logo', () => {
  it.each<[string, Buffer]>([
    ['a small one', PNG],
    ['one as wide as paper of 80 mm', withSide(576, 576)],
  ])('%s is a PNG and is taken as it is', (_, bytes) => {
    expect(LOGO.read(bytes.toString('base64'))).toEqual(bytes)
  })

  it('an empty text is no logo', () => expect(LOGO.read('')).toBeNull())

  it.each<[string, string]>([
    ['a drawing that may hold scripts', svg.toString('base64')],
    ['a picture with something behind its end', Buffer.concat([PNG, svg]).toString('base64')],
    ['a picture that begins as another file', Buffer.concat([svg, PNG]).toString('base64')],
    ['one that is too wide', withSide(577, 1).toString('base64')],
    ['one without a height', withSide(1, 0).toString('base64')],
    [
      'one that is too large',
      Buffer.concat([PNG.subarray(0, -12), Buffer.alloc(LOGO_BYTES_MAX), PNG.subarray(-12)]).toString(
        'base64',
      ),
    ],
    ['text that is no base64', `${PNG.toString('base64')}*`],
    ['an address', 'https://shop.example/logo.png'],
  ])('%s is refused', (_, text) => expect(LOGO.read(text)).toBeUndefined())
})
