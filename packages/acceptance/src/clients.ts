import { balanceOf } from './edge.ts'
import type { Answer } from './http.ts'
import type { Service } from './service.ts'
import { until } from './service.ts'
import type { Credentials } from './signing.ts'

/** Setting that makes the tests' own address a proxy, so that they can act for clients anywhere. */
export const TRUST_TEST_PROXY = { WARUNG_TRUST_PROXY: '127.0.0.1' } as const

export function from(address: string): Record<string, string> {
  return { 'X-Forwarded-For': address }
}

let addresses = 0

/** Returns an address that no other test of the file has, because limits count by address. */
export function newAddress(): string {
  addresses += 1
  return `198.51.${Math.floor(addresses / 256)}.${addresses % 256}`
}

/** Returns the balance itself, for tests of the wallet's content. */
export async function readBalance(
  service: Pick<Service, 'baseUrl'>,
  credentials: Credentials,
): Promise<number> {
  const answer = await balanceOf(service, credentials)
  if (answer.status !== 200) throw new Error(`the balance was refused: ${answer.status} ${answer.text}`)
  return answer.json<{ data: { balance: number } }>().data.balance
}

/** Returns the `error` code of a refusal; undefined if the answer has none. */
export function errorOf(answer: Answer): string | undefined {
  return answer.json<{ error?: string }>().error
}

/** Waits until a request gets this answer: a status, and the `error` code of a refusal. */
export function untilAnswered(ask: () => Promise<Answer>, status: number, error?: string): Promise<Answer> {
  return until(`the answer is ${status} ${error ?? ''}`, async () => {
    const answer = await ask()
    return answer.status === status && errorOf(answer) === error && answer
  })
}
