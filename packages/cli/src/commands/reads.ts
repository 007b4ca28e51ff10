import { readFile } from 'node:fs/promises'
import type { Command } from '../command.ts'
import { flag, text, texts } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { readAll, UsageError } from '../io.ts'
import { limitOf, range, takeUpTo } from '../lists.ts'
import { jsonText, printable } from '../output.ts'

export const balance: Command = {
  name: 'balance',
  summary: 'Show the wallet',
  async run({ connect, print }) {
    const { client } = await connect()
    const { data } = await client.getBalance()
    print.one(data, { ...data, access: data.access === 0 ? 'may pay' : 'read only' })
    return EXIT.ok
  },
}

export const key: Command = {
  name: 'key',
  summary: 'Show what the key may do, and what is left of its caps',
  async run({ connect, print }) {
    const { client } = await connect()
    const { data } = await client.getKey()
    const listed = (values: readonly string[] | null) => values?.join(', ') ?? 'all'
    print.one(data, {
      ...data,
      scopes: listed(data.scopes),
      products: listed(data.products),
      ip_allowlist: listed(data.ip_allowlist),
    })
    return EXIT.ok
  },
}

export const call: Command = {
  name: 'call',
  summary: 'Sign and send any request',
  args: 'METHOD PATH',
  words: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  options: {
    data: { type: 'string', short: 'd', value: 'JSON', text: 'body; @FILE reads a file, - reads stdin' },
    query: { type: 'string', multiple: true, value: 'NAME=VALUE', text: 'parameter, may be repeated' },
    include: { type: 'boolean', short: 'i', text: 'print status and request id first' },
  },
  details: ['Prints the body of the answer. The exit code is 1 when the status is 400 or more.'],
  async run({ io, connect, values, positionals }) {
    const [method, path] = positionals
    if (method === undefined || path?.startsWith('/') !== true) {
      throw new UsageError('call needs a method and a path, such as: warung call GET /v2/balance')
    }
    const data = text(values, 'data')
    const body = data === undefined ? undefined : await contentOf(io, data)
    const { client } = await connect()
    const answer = await client.call(method, path, { query: queryOf(texts(values, 'query')), body })
    if (flag(values, 'include')) io.note(`${answer.status} ${answer.requestId ?? ''}\n`)
    if (answer.body !== null) {
      const isText = typeof answer.body === 'string'
      const lines = isText ? String(answer.body).split('\n').map(printable).join('\n') : undefined
      io.out(`${lines ?? jsonText(answer.body, 2)}\n`)
    }
    return answer.status < 400 ? EXIT.ok : EXIT.refused
  },
}

/** Returns a text, the content of `@FILE`, or with `-` that of stdin. */
export async function contentOf(
  io: { input: Parameters<typeof readAll>[0] },
  given: string,
): Promise<string> {
  if (given === '-') return readAll(io.input)
  return given.startsWith('@') ? readFile(given.slice(1), 'utf8') : given
}

function queryOf(pairs: readonly string[]): Record<string, string[]> {
  const query: Record<string, string[]> = {}
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) throw new UsageError(`${pair} is not NAME=VALUE.`)
    const name = pair.slice(0, at)
    query[name] = [...(query[name] ?? []), pair.slice(at + 1)]
  }
  return query
}

export const catalog: Command = {
  name: 'catalog',
  summary: 'List products, or show the form of one',
  args: '[PRODUCT | SEARCH]',
  options: { inactive: { type: 'boolean', text: 'also products that you switched off' } },
  async run({ connect, print, values, positionals }) {
    const { client } = await connect()
    const [search = ''] = positionals
    const { products, tree } = await client.getCatalog({ include_inactive: flag(values, 'inactive') })
    const product = products[search]
    if (product !== undefined) {
      print.list(
        product.fields.toSorted((a, b) => a.order - b.order),
        (field) => ({
          field: field.id,
          type: field.type,
          required: field.required ? 'yes' : '',
          role: field.role,
          label: field.label,
          pattern: field.validation.pattern,
        }),
      )
      return EXIT.ok
    }
    const groups = tree.groups.flatMap(({ name, categories }) =>
      categories.flatMap((category) => category.product_codes.map((code) => ({ code, group: name }))),
    )
    const found = groups
      .flatMap(({ code, group }) => (products[code] === undefined ? [] : [{ ...products[code], group }]))
      .filter(({ code, name, group }) =>
        `${code} ${name} ${group}`.toLowerCase().includes(search.toLowerCase()),
      )
    print.list(found, (each) => ({
      code: each.code,
      name: each.name,
      group: each.group,
      amounts: each.denomination,
      currency: each.denomination_currency,
      processing: each.processing_time,
      active: each.is_active ? '' : 'no',
    }))
    return EXIT.ok
  },
}

export const options: Command = {
  name: 'options',
  summary: "List the options of a product's select field",
  args: 'PRODUCT FIELD',
  options: {
    'account-number': { type: 'string', value: 'TEXT', text: 'account, where the options depend on it' },
    search: { type: 'string', value: 'TEXT', text: 'only options whose code or label has this' },
    limit: { type: 'string', value: 'N', text: 'at most so many (100)' },
  },
  async run({ connect, print, values, positionals, io }) {
    const [productCode, fieldId] = positionals
    if (productCode === undefined || fieldId === undefined)
      throw new UsageError('options needs PRODUCT and FIELD.')
    const { client } = await connect()
    const search = text(values, 'search')?.toLowerCase() ?? ''
    const all = client.options({
      product_code: productCode,
      field_id: fieldId,
      account_number: text(values, 'account-number'),
    })
    const found = await takeUpTo(io, all, limitOf(values, 100), ({ code, label }) =>
      `${code} ${label}`.toLowerCase().includes(search),
    )
    print.list(found, (option) => ({
      code: option.code,
      label: option.label,
      amount: option.denomination,
      price: option.price?.amount,
      cost: option.cost?.amount,
      min: option.min_amount?.amount,
      max: option.max_amount?.amount,
    }))
    return EXIT.ok
  },
}

export const number: Command = {
  name: 'number',
  summary: 'Show the operator of a telephone number, and the products for it',
  args: 'NUMBER',
  async run({ connect, print, positionals }) {
    const account = positionals.join(' ')
    if (account === '')
      throw new UsageError('number needs a telephone number, such as: warung number 012-345 6789')
    const { client } = await connect()
    const { data } = await client.lookupNumber({ account })
    print.one(data, {
      number: data.e164,
      country: data.country,
      kind: data.kind,
      operator: data.operator?.name ?? 'not known',
      certain: data.is_certain ? `yes, by ${data.source}` : 'no: numbers are ported',
      products: data.products.join(' '),
    })
    return EXIT.ok
  },
}

export const limits: Command = {
  name: 'limits',
  summary: 'Show the limits of the account, and what is used of them',
  args: '[CUSTOMER]',
  details: ['With the account of a customer, such as a telephone number, what that one has used, too.'],
  async run({ connect, print, positionals }) {
    const customer = positionals.join(' ')
    const { client } = await connect()
    const { data } = await client.getLimits(customer === '' ? {} : { account: customer })
    print.list(data.limits, (limit) => ({
      of: limit.scope,
      each: limit.period,
      category: limit.category ?? 'all',
      payments: limit.payments ?? '',
      used_payments: limit.used_payments ?? '',
      sum: limit.sum ?? '',
      used_sum: limit.used_sum ?? '',
      resets_at: limit.resets_at,
      set_by: limit.set_by,
    }))
    return EXIT.ok
  },
}

export const receipt: Command = {
  name: 'receipt',
  summary: 'Show the receipt of a payment, with the link that verifies it',
  args: 'TRANSACTION',
  async run({ connect, print, positionals }) {
    const [id] = positionals
    if (id === undefined) throw new UsageError('receipt needs the transaction_id of a payment')
    const { client } = await connect()
    const { data, jws } = await client.getReceipt({ transaction_id: id })
    print.one({ data, jws }, data)
    return EXIT.ok
  },
}

const DATE = { type: 'string', value: 'DAY|"DAY - DAY"', text: 'yyyy-MM-dd, GMT+8 (today)' } as const
const LIMIT = { type: 'string', value: 'N', text: 'at most so many (50)' } as const

export const history: Command = {
  name: 'history',
  summary: 'List payments, newest first',
  options: {
    date: DATE,
    status: {
      type: 'string',
      multiple: true,
      value: 'STATUS',
      text: 'SUCCESSFUL, PENDING, FAILED or REFUND',
    },
    account: { type: 'string', value: 'TEXT', text: 'payments to this account' },
    product: { type: 'string', value: 'CODE', text: 'payments of this product' },
    limit: LIMIT,
  },
  async run({ connect, print, values, io }) {
    const { client } = await connect()
    const limit = limitOf(values, 50)
    const all = client.transactions({
      date: range(text(values, 'date')),
      status: texts(values, 'status') as ('SUCCESSFUL' | 'PENDING' | 'FAILED' | 'REFUND')[],
      account: text(values, 'account'),
      product: text(values, 'product'),
      limit: Math.min(limit, 500),
    })
    print.list(await takeUpTo(io, all, limit), (row) => ({
      date: row.date.slice(0, 19),
      refid: row.refid,
      product: row.product_code,
      account: row.account,
      amount: row.amount,
      cost: row.price,
      status: `${row.status_name} ${row.status_code}`,
      remarks: row.remarks,
    }))
    return EXIT.ok
  },
}

export const statement: Command = {
  name: 'statement',
  summary: 'List the entries of the wallet, newest first',
  options: {
    date: DATE,
    type: { type: 'string', value: 'TYPE', text: 'DEPOSIT, TRANSACTION, REFUND or COMMISSION' },
    limit: LIMIT,
  },
  async run({ connect, print, values, io }) {
    const { client } = await connect()
    const limit = limitOf(values, 50)
    const type = text(values, 'type') as 'DEPOSIT' | undefined
    const all = client.statement({ date: range(text(values, 'date')), type, limit: Math.min(limit, 500) })
    print.list(await takeUpTo(io, all, limit), (entry) => ({
      date: entry.date.slice(0, 19),
      type: entry.type,
      amount: entry.amount.toFixed(4),
      balance: entry.balance.toFixed(4),
      refid: entry.refid,
      remarks: entry.remarks,
    }))
    return EXIT.ok
  },
}
