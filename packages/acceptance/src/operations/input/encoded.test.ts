import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import type { Payer } from '../../payments.ts'
import { createPayer, expectPayment, reload } from '../../payments.ts'

let demo: Demo
let payer: Payer

beforeAll(async () => {
  demo = await shareDemo()
  payer = await createPayer(demo.service, '1000')
})

const MARK = Buffer.from([0xef, 0xbb, 0xbf])

// The service reads plain requests itself, and leaves those with TE to Node.
describe.each([
  ['by the service', {}],
  ['by Node', { TE: 'trailers' }],
])('a body that is read %s', (_, reader) => {
  const typed = { 'Content-Type': 'application/json', ...reader }

  it.each(['gzip', 'br', 'deflate', 'utf-8', 'identity, gzip', 'GZIP'])(
    'is refused with 415 where its content coding is %s, and nothing is paid',
    async (coding) => {
      const body = reload()
      const before = await payer.balance()
      const answer = await payer.send(undefined, {
        body: gzipSync(JSON.stringify(body)),
        headers: { ...typed, 'Content-Encoding': coding },
      })
      expect([answer.status, answer.json()]).toEqual([
        415,
        { message: 'The body was not read: send it as it is, without Content-Encoding.', errors: {} },
      ])
      expect(answer.headers['accept-encoding']).toBe('identity')
      expect(await payer.balance()).toBe(before)
      expectPayment(await payer.send(body), body)
    },
  )

  it('is read where its content coding is identity', async () => {
    const body = reload()
    const headers = { ...typed, 'Content-Encoding': 'identity' }
    expectPayment(await payer.send(undefined, { body: JSON.stringify(body), headers }), body)
  })

  it('is read after a byte order mark, which is signed as it was sent', async () => {
    const body = reload()
    const marked = Buffer.concat([MARK, Buffer.from(JSON.stringify(body))])
    expectPayment(await payer.send(undefined, { body: marked, headers: typed }), body)
  })
})
