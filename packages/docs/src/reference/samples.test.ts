import { describe, expect, it } from 'vitest'
import type { Located } from './document.ts'
import { sdkSample, shellSample } from './samples.ts'

const JSON_ANSWER = { 200: { description: 'OK', content: { 'application/json': { schema: {} } } } }

function located(change: Partial<Located['operation']>, method = 'POST'): Located {
  return {
    method,
    path: '/v2/things/{id}',
    isWebhook: false,
    operation: { operationId: 'doThing', summary: 'Do', tags: [], responses: JSON_ANSWER, ...change },
  }
}

const FULL = located({
  parameters: [
    { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'a b' },
    { name: 'limit', in: 'query', schema: { type: 'integer' }, example: '2' },
    { name: 'status', in: 'query', schema: { type: 'array' }, example: ['FAILED', 'REFUND'] },
    { name: 'unused', in: 'query', schema: { type: 'string' } },
  ],
  requestBody: {
    content: {
      'application/json': { schema: {}, example: { remarks: "it's", 'odd-name': '"x"', extras: {} } },
    },
  },
})

describe('samples of requests', () => {
  it('sign with the script of the guide, with every value quoted for the shell', () => {
    expect(shellSample(FULL)).toBe(
      `bash signed.sh POST /v2/things/a%20b 'limit=2&status=FAILED&status=REFUND' ` +
        `'{"remarks":"it'\\''s","odd-name":"\\"x\\"","extras":{}}'`,
    )
    expect(shellSample(located({ security: [] }, 'GET'))).toBe('curl -sS "$BASE_URL/v2/things/id"')
  })

  it('call the SDK with values in their types', () => {
    expect(sdkSample(FULL)).toBe(
      [
        'const answer = await client.doThing({',
        `  id: 'a b',`,
        '  limit: 2,',
        `  status: ['FAILED', 'REFUND'],`,
        `  remarks: "it's",`,
        `  'odd-name': '"x"',`,
        '  extras: {},',
        '})',
      ].join('\n'),
    )
  })

  it('have no call of the SDK for an answer that is not JSON', () => {
    const picture = { 200: { description: 'OK', content: { 'image/svg+xml': { schema: {} } } } }
    expect(sdkSample(located({ responses: picture }))).toBeUndefined()
  })
})
