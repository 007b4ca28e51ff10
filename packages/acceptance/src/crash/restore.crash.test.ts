import { chmod, mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Payer, PaymentData } from '../payments.ts'
import { createPayer, newRefid, payerAt } from '../payments.ts'
import { killPostmaster, runWarungd } from '../process.ts'
import type { ServiceProcess } from '../service.ts'
import { makeDirectory, startService, stopServices, until } from '../service.ts'
import type { Simulator } from '../simulator.ts'
import { startSimulator } from '../simulator.ts'

// One disaster from its beginning to its end: each test continues where the one before ended.

type Body = { refid: string; product: string; account: string; amount: number }
type Attempt = {
  readonly body: Body
  readonly sentMs: number
  answeredMs: number
  data: PaymentData | undefined
}

const CLIENTS = 4

let simulator: Simulator
let folder: string
let service: ServiceProcess
let payer: Payer
let moment: Date
/** Moment between the backup and `moment`. */
let earlier: Date
let restored: NodeJS.ProcessEnv
let attempts: Attempt[]
let backup: { name: string; removed_backups: number }

beforeAll(async () => {
  simulator = await startSimulator()
  const disk = await makeDirectory()
  // The server's user, who archives the log, passes through it.
  await chmod(disk, 0o755)
  folder = join(disk, 'backups')
  service = await startService({
    environment: { WARUNG_SIMULATOR_URL: simulator.url, WARUNG_BACKUP_DIR: folder },
  })
  await importProduct()
  payer = await createPayer(service, '100000')
  // A restore needs the master key, which is in no backup.
  const masterKey = (await readFile(join(service.dataDir, 'master.key'), 'utf8')).trim()
  const { environment } = service
  restored = { ...environment, WARUNG_DATA_DIR: await makeDirectory(), WARUNG_MASTER_KEY: masterKey }
})
afterAll(stopServices)

async function importProduct(): Promise<void> {
  const file = join(await makeDirectory(), 'catalog.json')
  const field = { placeholder: '', required: true, validation: {} }
  const product = {
    ...{
      code: 'KITA',
      category: 'RELOAD',
      kind: 'reload',
      name: 'Kita',
      image_url: 'https://img.example/kita.png',
    },
    ...{ processing_time: 'instant', denomination_currency: 'MYR', denomination_unit_price: '1' },
    fields: [
      { ...field, id: 'phone', type: 'text', input_mode: 'tel', label: 'Number', order: 1, role: 'account' },
      {
        ...field,
        id: 'amount',
        type: 'money',
        input_mode: 'decimal',
        label: 'Amount',
        order: 2,
        role: 'pricing',
      },
    ],
    fulfillment: { account: { from_field: 'phone' }, amount: { from_field: 'amount' } },
    legacy: {
      ...{ account_label: 'Number', keyboard_type: 'tel', common_denominations: '10' },
      ...{ denomination_data_type: 'Decimal', account_type: 'phone_number' },
    },
  }
  const catalog = {
    groups: [{ code: 'MOBILE', name: 'Mobile' }],
    categories: [{ code: 'RELOAD', name: 'Reload', group: 'MOBILE' }],
    products: [product],
    levels: [{ code: 'STANDARD', name: 'Standard' }],
    prices: [{ level: 'STANDARD', product: 'KITA', discount_type: 'percentage', value: '0.97' }],
  }
  await writeFile(file, JSON.stringify(catalog))
  await service.warungd('catalog', 'import', '--file', file)
}

function newBody(): Body {
  return { refid: newRefid(), product: 'KITA', account: '60123456789', amount: 10 }
}

/** Pays with several clients at once until it is stopped; every answer is noted with its times. */
function startPaying(): { attempts: Attempt[]; stop(): Promise<void> } {
  const made: Attempt[] = []
  let isStopped = false
  const client = async () => {
    while (!isStopped) {
      const attempt: Attempt = { body: newBody(), sentMs: Date.now(), answeredMs: 0, data: undefined }
      made.push(attempt)
      attempt.data = await payer.pay(attempt.body)
      attempt.answeredMs = Date.now()
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  return {
    attempts: made,
    async stop() {
      isStopped = true
      await Promise.all(clients)
    },
  }
}

async function command<T>(environment: NodeJS.ProcessEnv, ...args: string[]): Promise<T & { code: number }> {
  const { code, stdout, stderr } = await runWarungd(environment, [...args, '--json'])
  if (!/^\{(?!"error")/.test(stdout))
    throw new Error(`warungd ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`)
  return { ...(JSON.parse(stdout) as T), code }
}

/** Waits until the folder has the whole log of a time. */
async function untilArchived(ms: number): Promise<void> {
  await until('the log is archived', async () => (await stat(join(folder, 'tail'))).mtimeMs > ms)
}

/** Counts the orders of the simulator's books, and expects that it received each of them once. */
async function countOrders(): Promise<number> {
  const lines = await simulator.books()
  expect(lines.filter(({ times_received }) => times_received !== 1)).toEqual([])
  return lines.length
}

it('a backup is taken under load, and the log of what follows is archived', async () => {
  const paying = startPaying()
  await until('some were paid before', async () => paying.attempts.length > 40)
  backup = await service.warungd('backup', '--keep', '1')
  const taken = paying.attempts.length
  earlier = new Date()
  await until('some were paid after it', async () => paying.attempts.length > taken + 40)
  moment = new Date()
  const before = paying.attempts.length
  await until('some were paid after the moment', async () => paying.attempts.length > before + 40)
  await paying.stop()
  attempts = paying.attempts
  await until('the orders are carried out', async () => (await countOrders()) === attempts.length)
  await untilArchived(Date.now())
  expect(backup).toMatchObject({ name: expect.stringMatching(/^\d{8}T\d{6}Z-/), removed_backups: 0 })
  expect(await readdir(join(folder, 'base'))).toEqual([backup.name])
})

it('a backup is proven after the machine died, and a flipped byte in it is found', async () => {
  await killPostmaster(service.dataDir, 'SIGKILL')
  await service.kill9()
  expect(await command(restored, 'backup', 'verify', '--from', folder)).toMatchObject({
    ...{ code: 0, ok: true, backup: backup.name, faults: [], payments: attempts.length },
  })
  const path = join(folder, 'base', backup.name, 'data', 'global', 'pg_control.gz')
  await flipByte(path)
  expect(await command(restored, 'backup', 'verify', '--from', folder)).toMatchObject({
    ...{ code: 1, ok: false, faults: [expect.stringContaining('pg_control.gz is damaged')] },
  })
  const refused = await runWarungd(restored, ['restore', '--from', folder, '--to', moment.toISOString()])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('pg_control.gz is damaged') })
  await flipByte(path)
})

async function flipByte(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  const { size } = await handle.stat()
  const position = Math.floor(size / 2)
  const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position })
  await handle.write(Buffer.from([(buffer[0] ?? 0) ^ 0x10]), 0, 1, position)
  await handle.close()
}

it('a restore to a moment under load has every payment that was acknowledged before it, and proves its books', async () => {
  const done = await command<{ lost_payments: number }>(
    ...([restored, 'restore', '--from', folder, '--to', moment.toISOString()] as const),
  )
  const after = attempts.filter(({ sentMs }) => sentMs > moment.getTime())
  expect(done).toMatchObject({ code: 0 })
  expect(done.lost_payments).toBeGreaterThanOrEqual(after.length)
  const again = await runWarungd(restored, ['restore', '--from', folder])
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('not empty') })

  const { WARUNG_DATA_DIR: dataDir = '', ...environment } = restored
  service = await startService({ dataDir, environment: environment as Record<string, string> })
  payer = payerAt(service, { ...payer.credentials, account: payer.account })
  expect(await service.warungd('ledger', 'verify')).toMatchObject({ ok: true })
  expect(await service.warungd('audit', 'verify')).toMatchObject({ ok: true })
  const before = attempts.filter(({ answeredMs }) => answeredMs < moment.getTime())
  expect(before.length).toBeGreaterThan(80)
  for (const { body, data } of before) {
    expect((await payer.pay(body)).transaction_id).toBe(data?.transaction_id)
  }
})

async function expectOutcomeToBeAsked(body: Body): Promise<void> {
  const answer = await payer.send(body)
  expect(answer.status).toBe(504)
  expect(answer.json<{ message: string }>().message).toContain('has to be asked of the provider')
}

it('a refid that was paid after the moment is never paid again, and a new one only when the gap is accepted', async () => {
  const orders = await countOrders()
  const lost = attempts.filter(({ sentMs }) => sentMs > moment.getTime())
  const fresh = newBody()
  for (const { body } of lost) await expectOutcomeToBeAsked(body)
  await expectOutcomeToBeAsked(fresh)
  await service.warungd('restore', 'accept', '--reason', 'compared with the simulator')
  for (const { body } of lost) await expectOutcomeToBeAsked(body)
  expect(await countOrders()).toBe(orders)

  await payer.untilStatus(fresh, 'Succesful')
  expect(await countOrders()).toBe(orders + 1)
  const { lost: listed } = await service.warungd<{ lost: { refid: string; references: string[] }[] }>(
    ...(['restore', 'lost', '--limit', '1000'] as const),
  )
  const references = new Map(listed.map((each) => [each.refid, each.references]))
  for (const { body, data } of lost)
    expect(references.get(body.refid)).toEqual([`W${data?.transaction_id}-1`])
  await service.warungd('backup')
  expect(await service.warungd('backup', 'verify')).toMatchObject({ ok: true })
})

it('a second restore, to a moment before the first one, keeps what the first one lost', async () => {
  const orders = await countOrders()
  await untilArchived(Date.now())
  await service.kill9()
  await killPostmaster(service.dataDir, 'SIGKILL')
  const directory = await makeDirectory()
  // An attempt that was cut off left its files.
  await mkdir(join(directory, 'postgres.unfinished-0123', 'cluster'), { recursive: true })
  const environment = { ...restored, WARUNG_DATA_DIR: directory }
  const to = earlier.toISOString()
  const done = await command<{ lost_payments: number }>(environment, 'restore', '--from', folder, '--to', to)
  const lost = attempts.filter(({ sentMs }) => sentMs > earlier.getTime())
  expect(lost.length).toBeGreaterThan(80)
  expect(done.lost_payments).toBeGreaterThanOrEqual(lost.length)

  expect((await readdir(directory)).filter((name) => name.includes('unfinished'))).toEqual([])

  const { WARUNG_DATA_DIR: dataDir = '', ...others } = environment
  service = await startService({ dataDir, environment: others as Record<string, string> })
  payer = payerAt(service, { ...payer.credentials, account: payer.account })
  const { restores } = await service.warungd<{ restores: unknown[] }>('restore', 'list')
  expect(restores).toHaveLength(2)
  await service.warungd('restore', 'accept', '--reason', 'compared with the simulator')
  for (const { body } of lost) await expectOutcomeToBeAsked(body)
  expect(await countOrders()).toBe(orders)
})
