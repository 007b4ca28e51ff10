import { afterAll, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import { expectEdgeHeaders } from '../../edge.ts'
import { stopServices } from '../../service.ts'

const YEAR_MS = 365 * 86_400_000

afterAll(() => stopServices())

it('GET /.well-known/security.txt names a contact, a policy and an end in the future, as RFC 9116 wants', async () => {
  const { service } = await shareDemo()
  const answer = await service.get('/.well-known/security.txt')
  expect(answer.status).toBe(200)
  expectEdgeHeaders(answer)
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  const fields = new Map(answer.text.split('\n').map((line) => line.split(': ', 2) as [string, string]))
  const policy = `${service.baseUrl}/docs/project/report-a-weakness`
  expect(fields.get('Contact')).toBe(policy)
  expect(fields.get('Policy')).toBe(policy)
  expect(fields.get('Canonical')).toBe(`${service.baseUrl}/.well-known/security.txt`)
  const validMs = Date.parse(fields.get('Expires') ?? '') - Date.now()
  expect(validMs).toBeGreaterThan(0)
  expect(validMs).toBeLessThan(YEAR_MS)
  expect((await service.get('/docs/project/report-a-weakness')).text).toContain('How to report')
})
