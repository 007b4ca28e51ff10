import { generatePassword, randomBase62 } from '../lib/secrets/passwords.ts'
import type { Accounts } from '../modules/accounts/service.ts'
import { createOperator, listOperators, updateOperator } from '../modules/accounts/service.ts'
import type { Operator } from '../modules/accounts/types.ts'
import { perform } from '../modules/acts/service.ts'
import type { AuditLog } from '../modules/audit/types.ts'
import { createOperatorApprovals } from '../modules/operator/approvals/service.ts'
import { askedOf } from '../modules/operator/kit/acts.service.ts'
import type { SessionsOptions } from '../modules/sessions/people/settings.types.ts'
import { postDeposit } from '../modules/wallet/acts.ts'
import type { DemoLogin, DemoOperators } from './credentials.ts'

// The whole demo has two operators, so that one visitor can play both persons of an act that needs a second one.

type Issued = { readonly operator: Operator; readonly login: DemoLogin }

/** Creates an operator whom nobody let in, so that it counts as a person of its own beside the other. */
async function create(accounts: Accounts, name: string, mailbox: string): Promise<Issued> {
  const password = generatePassword()
  const email = `${mailbox}@warung.example`
  const operator = await createOperator(accounts, { email, name, password, role: 'admin', demo: true })
  return { operator, login: { email: operator.email, password } }
}

const FIRST_NAME = 'Demo operator'
const SECOND_NAME = 'Second demo operator'

export async function seedFirstOperator(accounts: Accounts): Promise<DemoOperators> {
  const { login } = await create(accounts, FIRST_NAME, 'operator')
  return { operator: login }
}

/** Creates both operators, and a request of the second that waits for the first. */
export async function seedBothOperators(
  accounts: Accounts,
  log: AuditLog,
  settings: {
    readonly priceChangeMaxPercent: number
    readonly sessions: SessionsOptions
    readonly account: string
  },
): Promise<DemoOperators> {
  const first = await create(accounts, FIRST_NAME, 'operator')
  const second = await create(accounts, SECOND_NAME, 'second')
  const { id: operatorId, email } = second.operator
  const approvals = createOperatorApprovals({ log, ...settings })
  await perform({ log, world: undefined, ask: askedOf(approvals) }, postDeposit, {
    caller: {
      kind: 'operator',
      operatorId,
      email,
      via: 'session',
      credentialId: 'demo',
      address: '127.0.0.1',
    },
    input: {
      account: settings.account,
      amount: '5000.00',
      remarks: 'Bank transfer',
      reference: 'DEMO-TRANSFER-1',
    },
    reason: 'The transfer is on the bank statement',
  })
  return { operator: first.login, second_operator: second.login }
}

/**
 * Gives the demo's operators new passwords, or, on a database that other nodes share, creates operators of this
 * node.
 */
export async function reissueOperators(
  accounts: Accounts,
  { isShared, isWhole }: { readonly isShared: boolean; readonly isWhole: boolean },
): Promise<DemoOperators> {
  const known = isShared ? [] : (await listOperators(accounts.database)).filter(({ demo }) => demo)
  const operator = await reissue(accounts, known[0], FIRST_NAME, 'operator')
  if (!isWhole) return { operator }
  return { operator, second_operator: await reissue(accounts, known[1], SECOND_NAME, 'second') }
}

async function reissue(
  accounts: Accounts,
  existing: Operator | undefined,
  name: string,
  mailbox: string,
): Promise<DemoLogin> {
  if (existing === undefined) {
    return (await create(accounts, name, `${mailbox}-${randomBase62(6)}`)).login
  }
  const password = generatePassword()
  await updateOperator(accounts, existing.id, { password, role: 'admin', status: 'active' })
  return { email: existing.email, password }
}
