import { afterAll, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import { expectEdgeHeaders } from '../../edge.ts'
import { stopServices } from '../../service.ts'

afterAll(() => stopServices())

it('GET /robots.txt keeps crawlers out of staging', async () => {
  const { service } = await shareDemo()
  const answer = await service.get('/robots.txt')
  expect(answer.status).toBe(200)
  expectEdgeHeaders(answer)
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(answer.text).toBe('User-agent: *\nDisallow: /\n')
})
