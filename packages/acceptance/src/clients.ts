import { balanceOf } from './edge.ts'
import type { Answer } from './http.ts'
import type { Service } from './service.ts'
import { until } from './service.ts'
import type { Credentials } from './signing.ts'

/** The tests' own address counts as a proxy's, so that they can speak for clients anywhere. */
export const TRUST_THE_TESTS = { WARUNG_TRUST_PROXY: '127.0.0.1' } as const

export function from(address: string): Record<string, string> {
  return { 'X-Forwarded-For': address }
}

let addresses = 0

/** One that no other test of the file has: limits count by address. */
export function newAddress(): string {
  addresses += 1
  return `198.51.${Math.floor(addresses / 256)}.${addresses % 256}`
}

/** The balance itself, for tests of what is in the wallet. */
export async function readBalance(
  service: Pick<Service, 'baseUrl'>,
  credentials: Credentials,
): Promise<number> {
  const answer = await balanceOf(service, credentials)
  if (answer.status !== 200) throw new Error(`the balance was refused: ${answer.status} ${answer.text}`)
  return answer.json<{ data: { balance: number } }>().data.balance
}

/** The `error` word of a refusal; undefined where the answer has none. */
export function errorOf(answer: Answer): string | undefined {
  return answer.json<{ error?: string }>().error
}

/** What a change of an account may take to reach every node. */
const DIRECTORY_MS = 5_000

/** Waits until a request gets this answer: a status, and the `error` word of a refusal. */
export function untilAnswered(ask: () => Promise<Answer>, status: number, error?: string): Promise<Answer> {
  return until(
    `the answer is ${status} ${error ?? ''}`,
    async () => {
      const answer = await ask()
      return answer.status === status && errorOf(answer) === error && answer
    },
    DIRECTORY_MS,
  )
}
