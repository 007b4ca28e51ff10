import { expect, it } from 'vitest'
import type { Environment } from '../../config.ts'
import type { IncomingRequest, OperationOutput } from '../../http/operation.ts'
import { wellKnownOperations } from './well-known.ts'

const NOW = Date.parse('2026-11-19T13:45:00Z')

async function get(path: string, environment: Environment, securityContact?: string): Promise<string> {
  const operations = wellKnownOperations({
    environment,
    baseUrl: () => 'https://pay.example',
    securityContact,
    nowMs: () => NOW,
  })
  const request = { headers: {} } as unknown as IncomingRequest
  const found = operations.find((each) => each.path === path)
  const answer = (await found?.handle({ request, params: {} } as never)) as OperationOutput
  return String(answer.body)
}

it('crawlers read the documentation of production, and nothing of staging', async () => {
  expect(await get('/robots.txt', 'production')).toBe(
    'User-agent: *\nAllow: /docs\nAllow: /llms.txt\nAllow: /openapi.json\nDisallow: /\n',
  )
  expect(await get('/robots.txt', 'staging')).toBe('User-agent: *\nDisallow: /\n')
})

it('security.txt names the address of the setting, and half a year as its end', async () => {
  const text = await get('/.well-known/security.txt', 'production', 'security@pay.example')
  expect(text).toContain('Contact: mailto:security@pay.example\nExpires: 2027-05-18T00:00:00.000Z\n')
  expect(text).toContain('Policy: https://pay.example/docs/project/report-a-weakness\n')
})
