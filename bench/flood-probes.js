import { createHash, createHmac, randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { createReseller, createUser } from '../packages/server/dist/modules/accounts/service.js'
import { median } from './measure.js'

const PASSWORD = 'a long enough password'
const BALANCE_EVERY_MS = 50
const SIGN_IN_EVERY_MS = 1_000

/** Opens an account whose member has signed in once: the browser is known from then on. */
export async function openProbes({ baseUrl, runtime }, wallet) {
  const { database, vault } = runtime
  const accounts = { database, vault, environment: 'staging' }
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
    const cookies = answer.headers.getSetCookie().map((each) => each.split(';')[0])
    if (answer.ok) cookie = cookies.find((each) => each.includes('_device=')) ?? cookie
    await answer.arrayBuffer()
    return answer.ok
  }
  const readBalance = async () => {
    const answer = await fetch(`${baseUrl}/v2/balance`, { headers: signed(wallet) })
    await answer.arrayBuffer()
    return answer.ok
  }
  if (!(await signIn())) throw new Error('the known browser could not sign in')
  return () => startProbes(signIn, readBalance)
}

function signed({ apiKey, signingSecret }) {
  const timestamp = Math.floor(Date.now() / 1_000)
  const nonce = randomBytes(12).toString('hex')
  const bodyHash = createHash('sha256').digest('base64')
  const signature = createHmac('sha256', Buffer.from(signingSecret, 'base64'))
    .update(`v1:${timestamp}:${nonce}:GET::${bodyHash}`)
    .digest('base64')
  return {
    'X-Api-Key': apiKey,
    'X-Timestamp': String(timestamp),
    'X-Nonce': nonce,
    'X-Signature': `v1=${signature}`,
  }
}

/** Reads a balance and signs in, again and again, until it is stopped. */
function startProbes(signIn, readBalance) {
  let isOver = false
  const repeat = async (work, everyMs) => {
    const result = { ok: 0, failed: 0, ms: [] }
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
  return async () => {
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
