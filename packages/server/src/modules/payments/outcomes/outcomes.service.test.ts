import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database } from '../../../db/database.ts'
import { openDatabase } from '../../../db/database.ts'
import { openVault } from '../../../db/vault.ts'
import { generateMasterKey } from '../../../lib/secrets/sealing.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import type { BreakableLine } from '../../../testing/network/breakable-line.ts'
import { openBreakableLine } from '../../../testing/network/breakable-line.ts'
import { dispatchOf } from '../../../testing/payments/dispatching.ts'
import type { ResolverNode } from '../../../testing/payments/outcomes.ts'
import { newOutcomeDirectory, openResolverNode } from '../../../testing/payments/outcomes.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import {
  createScriptedProvider,
  FAILED,
  NOT_ACTED,
  providersOf,
  UNKNOWN,
} from '../../../testing/providers/scripted-provider.ts'
import type { Outcome, SubmitOutcome } from '../../providers/port/types.ts'
import { findPaymentById } from '../core/records.service.ts'
import type { Payment } from '../core/types.ts'
import { createOutcomeFiles } from './outcome-files.service.ts'

const PIN = '4929-1170-8830-5512'
/** Longer limit for waits, which otherwise give up after a second. */
const PATIENCE = { timeout: 60_000 }
const WITH_PIN: Outcome = {
  kind: 'succeeded',
  output: { serialNumber: 'SN-77', pin: PIN, expiry: '', voucherLink: '', note: '' },
}

let bench: PaymentsBench
let node: Node
let line: BreakableLine
let database: Database
let directory: string
const open: ResolverNode[] = []

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})

afterAll(() => bench.close())

beforeEach(async () => {
  line = await openBreakableLine(bench.connection)
  database = openDatabase({ connection: line.connection, connectionsMax: 4, applicationName: 'test' })
  directory = newOutcomeDirectory()
})

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
  await database.close()
  await line.close()
  await rm(directory, { recursive: true, force: true })
})

/**
 * Opens a node that sends to a provider which cannot be asked, and that loses its database while the provider answers.
 */
async function openNodeThatLosesItsDatabase(
  answer: SubmitOutcome,
  settings: { graceMs?: number; keptMax?: number } = {},
): Promise<ResolverNode> {
  const provider = createScriptedProvider(async () => {
    line.cut()
    return answer
  }, UNKNOWN)
  const listeningNode = await openResolverNode(bench, database, {
    directory,
    providers: providersOf(provider),
    ...settings,
  })
  open.push(listeningNode)
  return listeningNode
}

async function pay(): Promise<Payment> {
  return payWith(node, await bench.newReseller(1_000_000n))
}

async function pinOf({ resellerId, id }: Payment): Promise<string | undefined> {
  return (await findPaymentById(bench.database, bench.vault, resellerId, id))?.output.pin
}

const filesIn = async () => (await readdir(directory)).map((name) => join(directory, name))

const alertsOf = async (kind: string) =>
  (
    await bench.database.query<{ subject: string; text: string }>(
      'select subject, text from operator_alerts where kind = $1 and cleared_at is null',
      [kind],
    )
  ).rows

describe('an answer that comes while the database is away', () => {
  it('a PIN is written when the database is back, though the supplier cannot be asked', async () => {
    const payment = await pay()
    const listeningNode = await openNodeThatLosesItsDatabase(WITH_PIN)
    await listeningNode.dispatcher.send(dispatchOf(payment))
    expect(listeningNode.outcomes.kept).toBe(1)
    expect(await bench.codeOf(payment)).not.toBe(20)
    line.mend()
    await vi.waitFor(async () => expect(await pinOf(payment)).toBe(PIN), PATIENCE)
    // The commit is visible a moment before the node has its answer.
    await vi.waitFor(() => expect(listeningNode.outcomes.kept).toBe(0), PATIENCE)
    await expectSoundMoney(bench.database)
  })

  it('a failure gives the money back once', async () => {
    const payment = await pay()
    const listeningNode = await openNodeThatLosesItsDatabase(FAILED)
    await listeningNode.dispatcher.send(dispatchOf(payment))
    line.mend()
    await vi.waitFor(async () => expect(await bench.codeOf(payment)).toBe(48), PATIENCE)
    expect(await bench.balanceOf(payment.resellerId)).toBe(1_000_000n)
    await expectSoundMoney(bench.database)
  })

  it('the answer that the supplier did nothing is not forgotten: the payment may be sent again', async () => {
    const payment = await pay()
    const listeningNode = await openNodeThatLosesItsDatabase(NOT_ACTED)
    await listeningNode.dispatcher.send(dispatchOf(payment))
    line.mend()
    await vi.waitFor(async () => {
      const { rows } = await bench.database.query<{ is_unsent: boolean }>(
        'select is_unsent from payment_work where reseller_id = $1 and payment_id = $2',
        [payment.resellerId, payment.id],
      )
      expect(rows[0]?.is_unsent).toBe(true)
    }, PATIENCE)
  })

  it('connections that the server ends lose nothing either', async () => {
    const payment = await pay()
    const provider = createScriptedProvider(async () => {
      await bench.database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
      )
      line.cut()
      return WITH_PIN
    }, UNKNOWN)
    const listeningNode = await openResolverNode(bench, database, {
      directory,
      providers: providersOf(provider),
    })
    open.push(listeningNode)
    await listeningNode.dispatcher.send(dispatchOf(payment))
    line.mend()
    await vi.waitFor(async () => expect(await pinOf(payment)).toBe(PIN), PATIENCE)
  })
})

describe('a stop while the database is away', () => {
  it('the answer lies sealed in a private file, and the next start writes it and removes the file', async () => {
    const payment = await pay()
    const listeningNode = await openNodeThatLosesItsDatabase(WITH_PIN, { graceMs: 100 })
    await listeningNode.dispatcher.send(dispatchOf(payment))
    await listeningNode.close()
    const [file, ...others] = await filesIn()
    expect(others).toEqual([])
    const content = await readFile(String(file))
    for (const form of ['utf8', 'base64', 'hex'] as const) {
      const secret = Buffer.from(PIN).toString(form).replace(/=+$/, '')
      expect(content.includes(secret)).toBe(false)
      expect(Buffer.from(content.toString('utf8'), 'base64').includes(secret)).toBe(false)
    }
    expect((await stat(String(file))).mode & 0o777).toBe(0o600)
    line.mend()
    const next = await openNodeThatLosesItsDatabase(WITH_PIN)
    await vi.waitFor(async () => expect(await pinOf(payment)).toBe(PIN), PATIENCE)
    await vi.waitFor(async () => expect(await filesIn()).toEqual([]), PATIENCE)
    expect(next.outcomes.kept).toBe(0)
    await expectSoundMoney(bench.database)
  })

  it('an answer whose first write hangs is in the file as well', async () => {
    const payment = await pay()
    const holder = bench.openAnother()
    const listeningNode = await openResolverNode(bench, database, {
      directory,
      providers: providersOf(createScriptedProvider(WITH_PIN, UNKNOWN)),
      graceMs: 100,
    })
    open.push(listeningNode)
    let sent: Promise<void> | undefined
    await holder.transaction(async (tx) => {
      await tx.query('select from payments where reseller_id = $1 and id = $2 for update', [
        payment.resellerId,
        payment.id,
      ])
      sent = listeningNode.dispatcher.send(dispatchOf(payment))
      await vi.waitFor(() => expect(listeningNode.resolver.unanswered).toBe(1), PATIENCE)
      await listeningNode.outcomes.close()
      expect(await filesIn()).toHaveLength(1)
    })
    await sent
    expect(await pinOf(payment)).toBe(PIN)
    await vi.waitFor(async () => expect(await filesIn()).toEqual([]), PATIENCE)
  })

  it('an answer that comes after the stop has written its file gets a file of its own', async () => {
    const payments = [await pay(), await pay()]
    const listeningNode = await openNodeThatLosesItsDatabase(WITH_PIN, { graceMs: 0 })
    for (const payment of payments) {
      await listeningNode.dispatcher.send(dispatchOf(payment))
      await listeningNode.outcomes.close()
    }
    expect(await filesIn()).toHaveLength(2)
    line.mend()
    await openNodeThatLosesItsDatabase(WITH_PIN)
    for (const payment of payments) {
      await vi.waitFor(async () => expect(await pinOf(payment)).toBe(PIN), PATIENCE)
    }
    await vi.waitFor(async () => expect(await filesIn()).toEqual([]), PATIENCE)
  })

  it('two processes that read one file write it once, and neither minds the other', async () => {
    const payment = await pay()
    const listeningNode = await openNodeThatLosesItsDatabase(FAILED, { graceMs: 0 })
    await listeningNode.dispatcher.send(dispatchOf(payment))
    await listeningNode.close()
    line.mend()
    const both = await Promise.all([
      openNodeThatLosesItsDatabase(FAILED),
      openNodeThatLosesItsDatabase(FAILED),
    ])
    await vi.waitFor(async () => expect(await bench.codeOf(payment)).toBe(48), PATIENCE)
    await vi.waitFor(() => expect(both.map(({ outcomes }) => outcomes.kept)).toEqual([0, 0]), PATIENCE)
    expect(await filesIn()).toEqual([])
    expect(await bench.balanceOf(payment.resellerId)).toBe(1_000_000n)
    await expectSoundMoney(bench.database)
  })
})

describe('a file that cannot be opened', () => {
  it.each(['truncated', 'sealed with other keys'])('%s: is kept and named in an alert', async (what) => {
    const payment = await pay()
    const listeningNode = await openNodeThatLosesItsDatabase(WITH_PIN, { graceMs: 0 })
    await listeningNode.dispatcher.send(dispatchOf(payment))
    await listeningNode.close()
    let [file = ''] = await filesIn()
    if (what === 'truncated') {
      const whole = await readFile(file)
      await writeFile(file, whole.subarray(0, whole.length >> 1))
    } else {
      await rm(file)
      const other = await openTestDatabase()
      const vault = await openVault(other.database, [generateMasterKey(), other.masterKey])
      file = await createOutcomeFiles({ directory, vault }).save([{ kind: 'payment', command: {} }])
      await other.close()
    }
    line.mend()
    await openNodeThatLosesItsDatabase(WITH_PIN)
    await vi.waitFor(
      async () => expect((await alertsOf('outcome_file')).map(({ subject }) => subject)).toContain(file),
      PATIENCE,
    )
    expect(await filesIn()).toEqual([file])
  })

  it('a directory that cannot be written to is said at the start', async () => {
    await writeFile(directory, 'a file, not a directory')
    const listeningNode = await openNodeThatLosesItsDatabase(WITH_PIN)
    expect(listeningNode.problems.join()).toContain(`${directory} cannot be written to`)
  })
})

describe('an answer that the database refuses', () => {
  const REFUSED: Outcome = {
    kind: 'succeeded',
    output: { serialNumber: 'SN\0', pin: PIN, expiry: '', voucherLink: '', note: '' },
  }

  it('is kept, raises an alert without the PIN, and does not hold up the others', async () => {
    const [bad, good] = [await pay(), await pay()]
    let tries = 0
    const provider = createScriptedProvider(async ({ reference }) =>
      reference.startsWith(`W${bad.id}`) ? REFUSED : WITH_PIN,
    )
    const listeningNode = await openResolverNode(bench, database, {
      directory,
      providers: providersOf(provider),
      failpoint: (name) => {
        if (name === 'resolve.before') tries += 1
      },
    })
    open.push(listeningNode)
    await listeningNode.dispatcher.send(dispatchOf(bad))
    expect(listeningNode.outcomes.kept).toBe(1)
    await listeningNode.dispatcher.send(dispatchOf(good))
    expect(await pinOf(good)).toBe(PIN)
    const name = `payment ${bad.id}, attempt 1, succeeded`
    await vi.waitFor(async () => {
      const found = (await alertsOf('outcome_refused')).find(({ subject }) => subject === name)
      expect(found?.text).toContain('22021')
      expect(JSON.stringify(found)).not.toContain(PIN)
    }, PATIENCE)
    // Each batch ran once: the refused answer was not tried again meanwhile.
    expect(tries).toBe(2)
    expect(listeningNode.outcomes.kept).toBe(1)
    expect(listeningNode.problems.join()).not.toContain(PIN)
  })
})

describe('more answers than memory is given', () => {
  it('wait in files and are written all the same, with an alert', async () => {
    const payments: Payment[] = []
    for (let n = 0; n < 12; n += 1) payments.push(await pay())
    const listeningNode = await openNodeThatLosesItsDatabase(WITH_PIN, { keptMax: 4, graceMs: 0 })
    await Promise.all(payments.map((payment) => listeningNode.dispatcher.send(dispatchOf(payment))))
    await vi.waitFor(async () => expect((await filesIn()).length).toBeGreaterThan(0), PATIENCE)
    line.mend()
    for (const payment of payments) {
      await vi.waitFor(async () => expect(await pinOf(payment)).toBe(PIN), PATIENCE)
    }
    await vi.waitFor(async () => expect(await filesIn()).toEqual([]), PATIENCE)
    expect(listeningNode.problems.join()).toContain('answers of suppliers wait for the database')
  })
})
