import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApprovalOperator, Approvals } from '../../../modules/approvals/types.ts'
import { createAuditLog, listAudit } from '../../../modules/audit/service.ts'
import type { AuditLog } from '../../../modules/audit/types.ts'
import { createOperatorApprovals } from '../../../modules/operator/approvals/service.ts'
import {
  codeAt,
  factorContext,
  newTotpSecret,
  stepAt,
} from '../../../modules/sessions/second-factor/totp.rules.ts'
import { confirmFactor, putFactor } from '../../../modules/sessions/second-factor/totp.sql.ts'
import { newApprover } from '../../../testing/approvals.ts'
import type { CommandLine } from '../../../testing/command-line.ts'
import { openCommandLine } from '../../../testing/command-line.ts'
import { sessionsOf } from '../../../testing/sessions.ts'

type Document = Record<string, unknown>

let line: CommandLine
let log: AuditLog
let approvals: Approvals
let account: string
let asker: ApprovalOperator
let other: ApprovalOperator

beforeAll(async () => {
  line = await openCommandLine()
  const { database, vault } = line.test
  log = createAuditLog({ database, vault })
  approvals = createOperatorApprovals({
    log,
    priceChangeMaxPercent: 20,
    sessions: sessionsOf(line.test, log),
  })
  asker = await newApprover(line.test, 'asker')
  other = await newApprover(line.test, 'other')
  const made = await ask(0, 'reseller', 'create', '--name', 'Kedai', '--email', 'k@example.com')
  account = String(made.account)
})

afterAll(() => line.close())

const PASSWORD = 'correct horse battery'

async function ask(code: number, ...args: string[]): Promise<Document> {
  return askWith(`${PASSWORD}\n`, code, ...args)
}

async function askWith(input: string, code: number, ...args: string[]): Promise<Document> {
  const ran = await line.runWith(input, ...args, '--json')
  expect({ code: ran.code, out: ran.code === code ? '' : ran.out }).toEqual({ code, out: '' })
  return JSON.parse(ran.out)
}

async function request(amount = '25.00'): Promise<string> {
  const { id } = await approvals.request(asker, {
    kind: 'deposit',
    target: { kind: 'wallet', id: account },
    command: { account, amount, remarks: 'bank', reference: null },
    reason: 'slip 7',
  })
  return String(id)
}

function decision(word: string, id: string, operator: string): string[] {
  return ['approval', word, '--id', id, '--operator', operator, '--reason', 'looked at the slip']
}

async function entries(): Promise<number> {
  const { rows } = await line.test.database.query('select from transfers')
  return rows.length
}

describe('approvals at the command line', () => {
  it('lists and shows what waits for a second person', async () => {
    const id = await request('11.00')
    const listed = await ask(0, 'approval', 'list', '--state', 'pending')
    expect(listed.approvals).toContainEqual(expect.objectContaining({ id, requested_by: asker.email }))
    expect(await ask(0, 'approval', 'show', '--id', id)).toMatchObject({
      id,
      state: 'pending',
      kind: 'deposit',
      command: { account, amount: '11.00' },
    })
    expect((await line.run('approval', 'list')).out).toContain(`wallet ${account}`)
    expect((await line.run('approval', 'show', '--id', id)).out).toMatch(/command\.amount +11\.00/)
  })

  it('an approval carries it out once, however often it is sent, and the log names both persons', async () => {
    const id = await request()
    const before = await entries()
    const approved = await ask(0, ...decision('approve', id, other.email.toUpperCase()))
    expect(approved).toMatchObject({ state: 'approved', decision: { by: other.email } })
    expect(await ask(0, ...decision('approve', id, other.email))).toEqual(approved)
    expect((await entries()) - before).toBe(1)
    const [row] = await listAudit(log, {
      actor: null,
      action: 'deposit.approve',
      targetKind: null,
      target: null,
      fromMs: null,
      untilMs: null,
      beforeSequence: null,
      limit: 1,
    })
    expect(row).toMatchObject({ actor: other.email, credential: expect.stringMatching(/^command:./) })
  })

  it('operators cannot decide about their own request, nor about that of somebody whom they let in', async () => {
    const id = await request()
    const befriended = await newApprover(line.test, 'befriended', asker)
    const later = await request()
    const before = await entries()
    for (const word of ['approve', 'reject']) {
      const own = await ask(1, ...decision(word, id, asker.email))
      expect(own).toMatchObject({ error: { code: 'own_request' } })
      const friend = await ask(1, ...decision(word, later, befriended.email))
      expect(friend).toMatchObject({ error: { code: 'not_independent' } })
    }
    expect(await ask(1, ...decision('approve', id, 'nobody@example.com'))).toMatchObject({
      error: { code: 'not_found' },
    })
    expect(await entries()).toBe(before)
  })

  it('a decision in an operator’s name needs that operator’s password', async () => {
    const id = await request()
    const before = await entries()
    for (const word of ['approve', 'reject']) {
      for (const input of ['', 'a guess\n']) {
        const refused = await askWith(input, 1, ...decision(word, id, other.email))
        expect(refused).toMatchObject({ error: { code: 'wrong_password' } })
      }
    }
    expect(await entries()).toBe(before)
    expect(await ask(0, 'approval', 'show', '--id', id)).toMatchObject({ state: 'pending' })
  })

  it('an operator with a second factor is asked for its code as well', async () => {
    const careful = await newApprover(line.test, 'careful')
    const id = await request()
    const key = { kind: 'operator', resellerId: 0n, id: careful.operatorId } as const
    const { database, vault } = line.test
    const secret = newTotpSecret()
    await database.transaction(async (tx) => {
      await putFactor(tx, key, vault.seal(factorContext(key), secret))
      await confirmFactor(tx, key, 1n)
    })
    const approve = decision('approve', id, careful.email)
    expect(await askWith(`${PASSWORD}\n`, 1, ...approve)).toMatchObject({
      error: { fields: { code: [expect.any(String)] } },
    })
    expect(await askWith(`${PASSWORD}\n000000\n`, 1, ...approve)).toMatchObject({
      error: { fields: { code: [expect.any(String)] } },
    })
    const code = codeAt(secret, stepAt(Date.now()))
    expect(await askWith(`${PASSWORD}\n${code}\n`, 0, ...approve)).toMatchObject({ state: 'approved' })
  })

  it('a rejected request is never carried out', async () => {
    const id = await request()
    const before = await entries()
    expect(await ask(0, ...decision('reject', id, other.email))).toMatchObject({ state: 'refused' })
    const late = await newApprover(line.test, 'late')
    expect(await ask(1, ...decision('approve', id, other.email))).toMatchObject({
      error: { code: 'already_decided' },
    })
    expect(await ask(1, ...decision('approve', id, late.email))).toMatchObject({
      error: { code: 'operator_too_new' },
    })
    expect(await entries()).toBe(before)
  })
})
