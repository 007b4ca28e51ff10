import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { send } from '../http.ts'
import { makeDirectory, runWarungd, until } from '../service.ts'
import type { Supplier } from '../suppliers.ts'
import { bodyFor, connectSupplier, SUPPLIER } from '../suppliers.ts'

// A supplier's own list of the day compared with ours, beside a running service.

let supplier: Supplier
let directory: string

beforeAll(async () => {
  supplier = await connectSupplier()
  directory = await makeDirectory()
  await writeFile(
    join(directory, 'mapping.json'),
    JSON.stringify({
      reference: { column: 'reference' },
      amount: { column: 'amount' },
      state: {
        column: 'state',
        values: { SUCCESS: 'succeeded', FAILED: 'failed', PENDING: 'pending', VOIDED: 'failed' },
      },
      time: { column: 'time', format: 'yyyy-MM-dd HH:mm:ss', zone: '+08:00' },
    }),
  )
})

afterAll(() => supplier?.end())

const GMT8_MS = 8 * 3_600_000
const today = () => new Date(Date.now() + GMT8_MS).toISOString().slice(0, 10)

type File = { file: string; lines: number; open_differences: number; already_imported: boolean }
type Difference = {
  id: string
  kind: string
  reference: string
  theirs: string
  ours: string
  closed_as: string | null
}

async function importing(name: string, content: string): Promise<string[]> {
  const file = join(directory, name)
  await writeFile(file, content)
  const how = ['--file', file, '--mapping', join(directory, 'mapping.json'), '--day', today()]
  return ['settlement', 'import', '--provider', SUPPLIER, ...how]
}

async function statement(): Promise<string> {
  const answer = await send({ baseUrl: supplier.simulator.url, path: `/settlement?day=${today()}` })
  expect(answer.status).toBe(200)
  return answer.text
}

it("the supplier's file agrees with what was sold, and each tampering is found and ended by normal means", async () => {
  const { service, payer } = supplier
  const bodies = ['60191111111', '60191111112', '60191111113', '60123450048'].map(bodyFor)
  const paid: string[] = []
  for (const body of bodies) {
    await payer.pay(body)
    const status = body.account === '60123450048' ? 'Failed' : 'Succesful'
    paid.push(`W${(await payer.untilStatus(body, status)).transaction_id}-1`)
  }
  const { body: waitingBody, reference: waiting } = await supplier.payUnanswered()
  const [first, second, third, failed] = paid as [string, string, string, string]

  const whole = await service.warungd<File>(...(await importing('whole.csv', await statement())))
  expect(whole).toMatchObject({ open_differences: 0, already_imported: false })

  const lines = (await statement()).split('\r\n').filter((line) => !line.startsWith(third))
  const tampered = lines
    .map((line) => (line.startsWith(first) ? line.replace('10.00', '12.00') : line))
    .map((line) => (line.startsWith(second) ? line.replace('SUCCESS', 'FAILED') : line))
    .map((line) => (line.startsWith(failed) ? line.replace('FAILED', 'SUCCESS') : line))
    .map((line) => (line.startsWith(waiting) ? line.replace('PENDING', 'SUCCESS') : line))
  const refused = await runWarungd(
    service.environment,
    await importing('bad.csv', `${lines.join('\n')}W1-1,x\n`),
  )
  expect(refused).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^Nothing was imported\.\nline \d+: /),
  })

  const file = await service.warungd<File>(...(await importing('tampered.csv', tampered.join('\n'))))
  const of = ['--file', file.file]
  const { differences } = await service.warungd<{ differences: Difference[] }>(
    'settlement',
    'differences',
    ...of,
  )
  const found = differences.map(({ kind, reference, theirs, ours }) => [reference, kind, theirs, ours])
  expect(found).toContainEqual([second, 'state', 'failed', 'succeeded'])
  expect(found).toContainEqual([failed, 'state', 'succeeded', 'failed'])
  expect(found).toContainEqual([waiting, 'state', 'succeeded', 'pending'])

  const balance = await payer.balance()
  // A node that asks the supplier about the waiting payment at this moment holds it; the operator tries again.
  const end = (difference: Difference, how: string) =>
    until('the difference is ended', async () => {
      const args = ['--id', difference.id, how, '--reason', 'by telephone']
      const { code, stdout, stderr } = await service.tryWarungd('settlement', 'resolve', ...args)
      if (code !== 0) expect(stdout + stderr).toContain('in_progress')
      return code === 0
    })
  for (const difference of differences) {
    await end(
      difference,
      difference.reference === waiting && difference.kind === 'state' ? '--apply' : '--accept',
    )
  }
  expect(await payer.pay(waitingBody)).toMatchObject({ status: 'Succesful' })
  expect(await payer.balance()).toBe(balance)
  expect(await service.warungd('settlement', 'compare', ...of)).toMatchObject({ open_differences: 0 })
  expect(await service.warungd('ledger', 'verify')).toMatchObject({ ok: true })
})
