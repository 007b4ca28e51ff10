import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { metricsUrlOf } from '../../edge.ts'
import { send } from '../../http.ts'
import type { Payer } from '../../payments.ts'
import { createPayer, expectPayment, reload } from '../../payments.ts'

let demo: Demo
let payer: Payer

beforeAll(async () => {
  demo = await shareDemo()
  payer = await createPayer(demo.service, '500')
})

async function read(): Promise<string> {
  const { origin, pathname } = metricsUrlOf(demo.service)
  return (await send({ baseUrl: origin, path: pathname })).text
}

type Row = { name: string; type: string; labels: string; help: string }

function documented(): Row[] {
  const page = readFileSync(new URL('../../../../../docs/metrics.md', import.meta.url), 'utf8')
  return [...page.matchAll(/^\| `(warung_\w+)` \| (\w+) \| (.*?) \| (.*) \|$/gm)].map(
    ([, name = '', type = '', labels = '', help = '']) => ({ name, type, labels, help }),
  )
}

function served(text: string): Map<string, { type: string; help: string }> {
  const types = new Map(
    [...text.matchAll(/^# TYPE (warung_\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]),
  )
  return new Map(
    [...text.matchAll(/^# HELP (warung_\w+) (.*)$/gm)].map(([, name = '', help = '']) => [
      name,
      { type: types.get(name) ?? '', help },
    ]),
  )
}

it('the table in docs/metrics.md has every figure that is served, and no other', async () => {
  const table = documented()
  const figures = served(await read())
  expect(table.map(({ name }) => name).sort()).toEqual([...figures.keys()].sort())
  for (const { name, type, help } of table)
    expect({ name, type, help }).toEqual({ name, ...figures.get(name) })
})

it('no figure has a label that the table does not name', async () => {
  const labels = new Map(documented().map((row) => [row.name, row.labels]))
  for (const [, sample = '', list = ''] of (await read()).matchAll(/^(warung_\w+)\{(.*)\} /gm)) {
    const name = labels.has(sample) ? sample : sample.replace(/_(bucket|sum|count)$/, '')
    for (const [, label = ''] of list.matchAll(/(\w+)="/g)) {
      if (label !== 'le') expect(`${name}: ${labels.get(name)}`).toContain(`\`${label}\``)
    }
  }
})

it('a payment is counted under its outcome, kind of product and supplier once it has ended', async () => {
  const body = reload()
  expectPayment(await payer.send(body), body)
  const counted = /^warung_payments_total\{outcome="succeeded",kind="reload",supplier="[\w-]+"\} [1-9]/m
  await expect.poll(read).toMatch(counted)
  expect(await read()).toMatch(/^warung_operator_alerts_open\{severity="critical"\} \d+$/m)
})

it('lists and statements are counted by the server that answered; balances, payments and refids never go to a standby', async () => {
  const countReads = async () => {
    const lines = (await read()).matchAll(/^warung_reads_total\{server="(\w+)"\} (\d+)$/gm)
    return Object.fromEntries([...lines].map(([, server, count]) => [server, Number(count)]))
  }
  const before = await countReads()
  const body = reload()
  const { transaction_id } = await payer.pay(body)
  expect((await payer.untilStatus(body, 'Succesful')).transaction_id).toBe(transaction_id)
  await payer.balance()
  expect(await countReads()).toEqual(before)
  const today = new Date().toISOString().slice(0, 10)
  for (const operation of ['transactions', 'balance-statement']) {
    const path = `/v2/${operation}?date=${today}&limit=10`
    const { primary } = await countReads()
    expect((await payer.send(undefined, { method: 'GET', path })).status).toBe(200)
    expect(await countReads()).toEqual({
      standby: 0,
      primary: expect.toSatisfy((now) => now > Number(primary)),
    })
  }
})

it('a reader that asks for nothing else gets the plain text, without exemplars', async () => {
  const { origin, pathname } = metricsUrlOf(demo.service)
  const plain = await send({ baseUrl: origin, path: pathname })
  expect(plain.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(plain.text).not.toMatch(/# \{|# EOF/)
})
