import { randomBytes } from 'node:crypto'
import type { Database } from '../db/database.ts'
import { openVault } from '../db/vault.ts'
import { openDirectory } from '../modules/accounts/directory.ts'
import type { Accounts } from '../modules/accounts/service.ts'
import { createReseller, createUser } from '../modules/accounts/service.ts'
import type { Directory } from '../modules/accounts/types.ts'
import type { TokensOptions } from '../modules/auth/tokens.service.ts'
import { openTokens } from '../modules/auth/tokens.service.ts'
import type { Tokens } from '../modules/auth/tokens.types.ts'
import { memberNetworks } from '../modules/sessions/people/devices.service.ts'
import { hasMemberSecondFactor } from '../modules/sessions/second-factor/totp.service.ts'
import type { TestDatabase } from './database.ts'
import { openTestDatabase } from './database.ts'

export const ISSUER = 'https://tokens.example'

export type TestUser = {
  username: string
  password: string
  userId: bigint
  resellerId: bigint
  account: string
}

export type TokenNode = { tokens: Tokens; directory: Directory }

export type TokensBench = TestDatabase & {
  accounts: Accounts
  /** Makes a new reseller with one user. */
  newUser(): Promise<TestUser>
  /** Opens tokens with their own pool, vault and directory, as another process has them. */
  openNode(options?: Partial<TokensOptions>): Promise<TokenNode>
}

export async function openTokensBench(): Promise<TokensBench> {
  const test = await openTestDatabase()
  const accounts: Accounts = { database: test.database, vault: test.vault, environment: 'staging' }
  const nodes: TokenNode[] = []
  return {
    ...test,
    accounts,
    async newUser() {
      const name = `user.${randomBytes(6).toString('hex')}`
      const reseller = await createReseller(accounts, {
        name,
        email: `${name}@example.com`,
        priceLevel: 'STANDARD',
      })
      const password = `right ${name}`
      const user = await createUser(accounts, reseller.id, { username: name, password, role: 'admin' })
      return {
        username: name,
        password,
        userId: user.id,
        resellerId: reseller.id,
        account: reseller.account,
      }
    },
    async openNode(options = {}) {
      const database = options.database ?? test.openAnother()
      const vault = await openVault(database, [test.masterKey])
      const directory = await openDirectory({ database, vault, environment: 'staging' })
      const tokens = await openTokens({
        database,
        vault,
        directory,
        issuer: () => ISSUER,
        hasSecondFactor: hasMemberSecondFactor,
        knownNetworks: memberNetworks,
        ...options,
      })
      const node = { tokens, directory }
      nodes.push(node)
      return node
    },
    async close() {
      await Promise.all(nodes.map((node) => node.tokens.close()))
      await Promise.all(nodes.map((node) => node.directory.close()))
      await test.close()
    },
  }
}

let addresses = 0

/** Returns an address that is unique in this test file, because the limits count by address. */
export function newAddress(): string {
  addresses += 1
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}

/** Records `count` requests of `address` just now. They stay recent for a minute, even if the test is slow. */
export async function seedTokenRequests(database: Database, address: string, count: number): Promise<void> {
  await database.query(
    `insert into token_request_counters (address, recent)
     values ($1, array_fill(clock_timestamp() + interval '1 minute', array[$2::int]))`,
    [address, count],
  )
}

/** Keeps the counted requests recent while a test goes on. */
export async function holdTokenRequests(database: Database, address: string): Promise<void> {
  await database.query(
    `update token_request_counters
     set recent = array(select greatest(at, clock_timestamp() + interval '1 minute') from unnest(recent) at)
     where address = $1`,
    [address],
  )
}
