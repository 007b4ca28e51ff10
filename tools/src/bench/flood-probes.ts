import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { createReseller, createUser } from '../../../packages/server/dist/modules/accounts/service.js'
import { median } from './measure.ts'
import type { Service } from './service.ts'
import type { Credentials } from './signed.ts'
import { signed } from './signed.ts'

const PASSWORD = 'a long enough password'
const BALANCE_EVERY_MS = 50
const SIGN_IN_EVERY_MS = 1_000

/** Figures that the account met beside the payments. */
export type Probed = {
  balanceMs: number
  balancesFailed: number
  signIns: string
  slowestSignInMs: number
}

/** Starts the probes; the function that it returns stops them. */
export type StartProbes = () => () => Promise<Probed>

/** Opens an account whose member has signed in once: the browser is known from then on. */
export async function openProbes({ baseUrl, runtime }: Service, wallet: Credentials): Promise<StartProbes> {
  const { database, vault } = runtime
  const accounts = { database, vault, environment: 'staging' as const }
  const contact = { name: 'Known', email: 'bench@warung.example', priceLevel: 'STANDARD' }
  const reseller = await createReseller(accounts, contact)
  const username = `known-${randomBytes(4).toString('hex')}`
  await createUser(accounts, reseller.id, { username, password: PASSWORD, role: 'viewer' })
  let cookie = ''
  const signIn = async () => {
    const answer = await fetch(`${baseUrl}/portal/v1/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: cookie },
      body: JSON.stringify({ username, password: PASSWORD }),
    })
    const cookies = answer.headers.getSetCookie().map((each) => each.split(';')[0] ?? '')
    if (answer.ok) cookie = cookies.find((each) => each.includes('_device=')) ?? cookie
    await answer.arrayBuffer()
    return answer.ok
  }
  const readBalance = async () => {
    const answer = await fetch(`${baseUrl}/v2/balance`, { headers: signed(wallet, '/v2/balance') })
    await answer.arrayBuffer()
    return answer.ok
  }
  if (!(await signIn())) throw new Error('the known browser could not sign in')
  return () => startProbes(signIn, readBalance)
}

/** Reads a balance and signs in, again and again, until it is stopped. */
function startProbes(signIn: () => Promise<boolean>, readBalance: () => Promise<boolean>) {
  let isOver = false
  const repeat = async (work: () => Promise<boolean>, everyMs: number) => {
    const result = { ok: 0, failed: 0, ms: [] as number[] }
    while (!isOver) {
      const startedMs = performance.now()
      const isGood = await work().catch(() => false)
      result.ms.push(performance.now() - startedMs)
      result[isGood ? 'ok' : 'failed'] += 1
      await delay(everyMs)
    }
    return result
  }
  const both = Promise.all([repeat(readBalance, BALANCE_EVERY_MS), repeat(signIn, SIGN_IN_EVERY_MS)])
  return async (): Promise<Probed> => {
    isOver = true
    const [balance, signIns] = await both
    return {
      balanceMs: median(balance.ms),
      balancesFailed: balance.failed,
      signIns: `${signIns.ok} of ${signIns.ok + signIns.failed}`,
      slowestSignInMs: Math.max(...signIns.ms),
    }
  }
}
