import { randomBytes } from 'node:crypto'
import type { Node } from '../edge.ts'
import type { Answer } from '../http.ts'
import type { Payer } from '../payments.ts'
import { createPayer } from '../payments.ts'
import type { Browser } from './people.ts'
import { signIn } from './people.ts'

// Reseller of the test with its users.

export type MemberRole = 'admin' | 'manager' | 'cashier' | 'accountant' | 'viewer'

/** Signed-in user, with the password that some changes ask for again. */
export type Member = Browser & { readonly username: string; readonly password: string }

export type Shop = { readonly payer: Payer; readonly admin: Member; readonly viewer: Member }

export async function openShop(service: Node, ringgit: string | null): Promise<Shop> {
  const payer = await createPayer(service, ringgit)
  const [admin, viewer] = await Promise.all([
    newMember(service, payer.account, 'admin'),
    newMember(service, payer.account, 'viewer'),
  ])
  return { payer, admin, viewer }
}

export async function newMember(service: Node, account: string, role: MemberRole): Promise<Member> {
  const username = `${role}-${randomBytes(6).toString('hex')}`
  const whose = ['--reseller', account, '--username', username, '--role', role]
  const { password } = await service.warungd<{ password: string }>('user', 'create', ...whose)
  return { ...(await signIn(service, 'portal', { username, password })), username, password }
}

/** Returns the data of an answer that must be good. */
export function dataOf<T = Record<string, unknown>>(answer: Answer): T {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json<{ data: T }>().data
}

export type Listed = { data: Record<string, string>[]; cursor: string | null; has_more: boolean }

/** Reads all pages to the end. */
export async function walk(browser: Browser, path: string, limit: number): Promise<Listed['data']> {
  const all: Listed['data'] = []
  let cursor: string | null = null
  do {
    const next: string = cursor === null ? '' : `&cursor=${cursor}`
    const answer = await browser.get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}${next}`)
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
    const page: Listed = answer.json<Listed>()
    if (page.has_more !== (page.cursor !== null)) throw new Error('has_more and cursor disagree')
    all.push(...page.data)
    cursor = page.cursor
  } while (cursor !== null)
  return all
}
