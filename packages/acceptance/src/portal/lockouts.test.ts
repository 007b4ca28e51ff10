import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { from, TRUST_TEST_PROXY } from '../clients.ts'
import { expectProblem, expectUnauthorized } from '../edge.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, openService, stopServices } from '../service.ts'
import { createUser } from '../tokens.ts'
import type { Side, SignInFields } from './people.ts'
import { createOperator, knownBrowser, signIn, trySignIn } from './people.ts'

// Strangers who guess a user's password lock themselves out, and not the user.

const SIDES: readonly Side[] = ['operator', 'portal']
const FAILURES_MAX = 10
const EVERYWHERE_MAX = 50
/** More than may wait for a hash, and fewer than an address may send in a second. */
const STRANGERS = 16 * 14

let service: Service
let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
  service = await openService({ database, environment: TRUST_TEST_PROXY })
})
afterAll(async () => {
  await stopServices()
  await database?.drop()
})

async function somebody(side: Side): Promise<SignInFields> {
  if (side === 'operator') return createOperator(service, 'support')
  const { username, password } = await createUser(service)
  return { username, password }
}

describe('strangers who send wrong passwords from sixteen addresses at once', () => {
  it.each(SIDES)('do not keep a known browser from signing in (%s)', async (side) => {
    const person = await somebody(side)
    const known = knownBrowser(await signIn(service, side, person))
    const strangers = Array.from({ length: STRANGERS }, (_each, index) => {
      // Other names: guesses at one name would soon be refused without a hash.
      const name = `nobody${index}@example.com`
      const guess = side === 'operator' ? { email: name } : { username: name }
      const address = `198.51.${side === 'operator' ? 100 : 101}.${1 + (index % 16)}`
      return trySignIn(service, side, { ...guess, password: 'a guess' }, from(address))
    })
    await Promise.race(strangers)
    expect((await trySignIn(service, side, person, known)).status).toBe(200)
    await Promise.allSettled(strangers)
  })
})

describe('guessing', () => {
  it.each(SIDES)(
    'guesses of strangers keep the owner out neither elsewhere nor at a known browser (%s)',
    async (side) => {
      const person = await somebody(side)
      const known = knownBrowser(await signIn(service, side, person))
      // A network has few attempts, whoever it tries to be.
      const network = side === 'portal' ? '2001:db8:0:7' : '2001:db8:0:9'
      const here = from(`${network}::1`)
      for (let time = 0; time < FAILURES_MAX; time += 1) {
        const wrong = { ...person, password: `a wrong one ${time}` }
        const address = from(`${network}:${time}::1`)
        expectUnauthorized(await trySignIn(service, side, wrong, address), 'invalid_credentials')
      }
      expectProblem(await trySignIn(service, side, person, here), 429)
      expect((await trySignIn(service, side, person, { ...here, ...known })).status).toBe(200)
      expect((await trySignIn(service, side, person, from('2001:db8:0:8::1'))).status).toBe(200)
    },
  )

  it.each(SIDES)(
    'guesses from many addresses are limited over all of them, except at a known browser (%s)',
    async (side) => {
      const person = await somebody(side)
      const known = knownBrowser(await signIn(service, side, person))
      const guess = (index: number) => {
        const address = from(`2001:db8:${side === 'portal' ? 1 : 2}:${index}::1`)
        return trySignIn(service, side, { ...person, password: `guess ${index}` }, address)
      }
      const answers = await Promise.all(
        Array.from({ length: EVERYWHERE_MAX + 10 }, (_each, index) => guess(index)),
      )
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(EVERYWHERE_MAX)
      const locked = await trySignIn(service, side, person)
      expectProblem(locked, 429)
      expect(Number(locked.headers['retry-after'])).toBeGreaterThan(50 * 60)
      expect((await trySignIn(service, side, person, known)).status).toBe(200)
    },
  )
})
