import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from './connect.ts'

const service = createServer((_, outgoing) => {
  outgoing.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"No.","errors":{}}')
})
let address: string

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})
afterAll(() => service.close())

it('an address of the environment may end with a slash: no path after it begins with two', async () => {
  const { profile, environment } = await connect(
    {
      env: { WARUNG_BASE_URL: `${address}/`, WARUNG_API_KEY: 'key', WARUNG_SIGNING_SECRET: 'c2VjcmV0' },
      input: Readable.from([]),
      isInteractive: false,
      out: () => {},
      note: () => {},
      signal: new AbortController().signal,
    },
    undefined,
  )
  expect({ environment, address: profile.base_url }).toEqual({ environment: 'production', address })
})
