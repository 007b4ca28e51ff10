import { beforeAll, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import { createReseller, expectProblem } from '../edge.ts'
import { signed } from '../http.ts'
import type { Service } from '../service.ts'
import type { Credentials } from '../signing.ts'

/** Declares a test for each query that an operation refuses because of its one parameter. */
export function expectRefused(path: string, parameter: string, queries: readonly string[]): void {
  let service: Service
  let reseller: Credentials

  beforeAll(async () => {
    service = (await shareDemo()).service
    reseller = await createReseller(service)
  })

  it.each(queries)(`${parameter} is refused in %j`, async (query) => {
    const answer = await signed(service.baseUrl, reseller, { path: `${path}${query}` })
    expectProblem(answer, 400, [parameter])
    expect(answer.json()).toHaveProperty('message')
  })
}
