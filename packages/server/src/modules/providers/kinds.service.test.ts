import { afterAll, describe, expect, it } from 'vitest'
import type { Environment } from '../../config.ts'
import { openLoopback, simulatorConnection } from '../../testing/providers/http-connection.ts'
import { listKinds } from './kinds.service.ts'

const outbound = openLoopback()
afterAll(() => outbound.close())

function problemsOf(environment: Environment, baseUrl: string, changes: Record<string, unknown> = {}) {
  const settings = { environment, outbound, fulfilment: () => 'plain', nowMs: Date.now, onProblem: () => {} }
  const kinds = listKinds(settings as unknown as Parameters<typeof listKinds>[0])
  const config = { ...simulatorConnection(baseUrl), ...changes }
  return kinds
    .get('http')
    ?.check(config, { callback: 'x' })
    .map(({ path }) => path)
}

it('a position in a list is refused when it is saved; a supplier that was saved with it is connected, with a warning', () => {
  const settings = { environment: 'staging', outbound, fulfilment: () => 'plain', nowMs: Date.now }
  const http = listKinds(settings as unknown as Parameters<typeof listKinds>[0]).get('http')
  const config = {
    ...simulatorConnection('https://supplier.example'),
    float: { method: 'GET', path: '/', response: { amount: '0.left' } },
  }
  const path = 'float.response.amount'
  expect(http?.check(config, { callback: 'x' })).toMatchObject([{ path, isOutdated: true }])
  expect(http?.warningsOf?.(config, ['callback'])).toEqual([expect.stringContaining(path)])
  const secrets = { callback: 'the secret of callbacks' }
  expect(http?.create({ code: 'supplier', config, secrets }).code).toBe('supplier')
})

describe('a supplier’s address, when it is saved', () => {
  it.each([
    'https://10.0.0.1/v1',
    'https://[::1]',
    'https://[::127.0.0.1]',
    'http://192.168.1.1',
    'https://169.254.169.254',
  ])('%s is refused: nothing would ever be sent there', (url) => {
    expect(problemsOf('staging', url)).toEqual(['base_url'])
  })

  it.each(['http://127.0.0.1:3100', 'https://8.8.8.8', 'https://nobody.invalid', 'http://localhost:3100'])(
    '%s is taken in staging: it was opened, or only connecting can tell',
    (url) => {
      expect(problemsOf('staging', url)).toEqual([])
    },
  )

  it('is https in production, whatever was opened', () => {
    expect(problemsOf('production', 'http://127.0.0.1:3100')).toEqual(['base_url'])
    expect(problemsOf('production', 'http://localhost:3100')).toEqual(['base_url'])
    expect(problemsOf('production', 'https://supplier.example')).toEqual([])
  })

  it('is judged where tokens come from as well', () => {
    const auth = {
      type: 'oauth2_client_credentials',
      token_url: 'https://10.0.0.1/token',
      client_id: 'warung',
      client_secret: { secret: 'callback' },
    }
    expect(problemsOf('staging', 'https://supplier.example', { auth })).toEqual(['auth.token_url'])
  })
})
