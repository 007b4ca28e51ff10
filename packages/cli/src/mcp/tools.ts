import type { Client } from '@warung/sdk'
import { canonicalString } from '@warung/sdk'
import { lastDays, range, takeUpTo } from '../lists.ts'
import type { Environment } from '../profiles.ts'
import { explainSignature } from '../signature/explain.ts'
import { documentationTools } from './documentation.ts'
import { hidingSecrets } from './hiding.ts'
import type { Caps } from './payments.ts'
import { payTool, quoteTool } from './payments.ts'
import type { Tool } from './tool.ts'
import { countOf, defineTool, textOf } from './tool.ts'

export type ToolSettings = {
  readonly client: Client
  readonly baseUrl: string
  readonly environment: Environment
  /** Undefined: the tools only read. */
  readonly payments?: Caps | undefined
  /** True: the model reads PINs and links. */
  readonly showsPins: boolean
}

const TEXT = (description: string) => ({ type: 'string', description })
const COUNT = (usual: number, most: number) => ({
  type: 'integer',
  minimum: 1,
  maximum: most,
  description: `at most so many (${usual})`,
})
const DATE = TEXT('yyyy-MM-dd or "yyyy-MM-dd - yyyy-MM-dd", GMT+8; left out: today')
const QUIET = { note: () => {}, signal: new AbortController().signal }

export function toolsOf(settings: ToolSettings): Tool[] {
  const reading = [
    ...accountTools(settings),
    ...catalogTools(settings),
    ...documentationTools(settings.baseUrl),
    signatureTool(),
  ]
  const { client, environment, payments, showsPins } = settings
  const quoting = [...reading, quoteTool(client, environment)]
  const all = payments === undefined ? quoting : [...quoting, payTool(client, environment, payments)]
  return showsPins ? all : all.map(hidingSecrets)
}

function accountTools({ client, environment }: ToolSettings): Tool[] {
  return [
    defineTool({
      name: 'balance',
      title: 'Balance',
      description: 'The wallet of the account: balance in ringgit, price level, and whether it may pay.',
      isReadOnly: true,
      run: async () => ({ environment, ...(await client.getBalance()).data }),
    }),
    defineTool({
      name: 'key',
      title: 'Key',
      description:
        'What your own API key may do: scopes, products, caps in ringgit of cost, what is spent of them, and its end. ' +
        'The service refuses what lies outside.',
      isReadOnly: true,
      run: async () => ({ ...(await client.getKey()).data }),
    }),
    defineTool({
      name: 'transaction_status',
      title: 'Status of a payment',
      description: 'One payment of the last 31 days by its refid. It never pays.',
      isReadOnly: true,
      properties: { refid: TEXT('reference of the payment') },
      required: ['refid'],
      async run(args) {
        const refid = textOf(args, 'refid')
        const all = client.transactions({ date: lastDays(31) })
        const [found] = await takeUpTo(QUIET, all, 1, (row) => row.refid === refid)
        return found === undefined ? { found: false } : { found: true, payment: found }
      },
    }),
    defineTool({
      name: 'history',
      title: 'Payments',
      description: 'Payments of a day or of a range of days, newest first.',
      isReadOnly: true,
      properties: {
        date: DATE,
        status: { type: 'string', enum: ['SUCCESSFUL', 'PENDING', 'FAILED', 'REFUND'] },
        account: TEXT('payments to this account'),
        product: TEXT('payments of this product code'),
        limit: COUNT(20, 200),
      },
      async run(args) {
        const status = textOf(args, 'status') as 'FAILED' | undefined
        const all = client.transactions({
          date: range(textOf(args, 'date')),
          status: status === undefined ? undefined : [status],
          account: textOf(args, 'account'),
          product: textOf(args, 'product'),
          limit: 200,
        })
        return { payments: await takeUpTo(QUIET, all, countOf(args, 'limit', 20, 200)) }
      },
    }),
    defineTool({
      name: 'statement',
      title: 'Statement',
      description: 'Entries of the wallet of a day or of a range of days, newest first.',
      isReadOnly: true,
      properties: { date: DATE, limit: COUNT(20, 200) },
      async run(args) {
        const all = client.statement({ date: range(textOf(args, 'date')), limit: 200 })
        return { entries: await takeUpTo(QUIET, all, countOf(args, 'limit', 20, 200)) }
      },
    }),
    defineTool({
      name: 'events',
      title: 'Events',
      description: 'Events of the account after a sequence number, oldest first.',
      isReadOnly: true,
      properties: {
        after: { type: 'integer', minimum: 0, description: 'the last sequence that is known (0)' },
        limit: COUNT(50, 200),
      },
      async run(args) {
        const after = typeof args.after === 'number' ? args.after : 0
        const {
          data,
          next,
          has_more: hasMore,
        } = await client.listEvents({
          after,
          limit: countOf(args, 'limit', 50, 200),
        })
        return { events: data, next, has_more: hasMore }
      },
    }),
  ]
}

function catalogTools({ client }: ToolSettings): Tool[] {
  return [
    defineTool({
      name: 'catalog_search',
      title: 'Search the catalogue',
      description: 'Products by a part of their code, name or group. Left out: all.',
      isReadOnly: true,
      properties: { search: TEXT('part of a code, name or group'), limit: COUNT(20, 200) },
      async run(args) {
        const search = (textOf(args, 'search') ?? '').toLowerCase()
        const { products, tree } = await client.getCatalog()
        const found = tree.groups
          .flatMap(({ name, categories }) =>
            categories.flatMap((each) => each.product_codes.map((code) => ({ code, group: name }))),
          )
          .flatMap(({ code, group }) => (products[code] === undefined ? [] : [{ group, ...products[code] }]))
          .filter(({ code, name, group }) => `${code} ${name} ${group}`.toLowerCase().includes(search))
          .map(
            ({
              code,
              name,
              group,
              denomination,
              denomination_currency: currency,
              processing_time: time,
            }) => ({
              code,
              name,
              group,
              denomination,
              currency,
              processing_time: time,
            }),
          )
        const limit = countOf(args, 'limit', 20, 200)
        return { products: found.slice(0, limit), total: found.length }
      },
    }),
    defineTool({
      name: 'number_lookup',
      title: 'Operator of a number',
      description:
        'The operator of a telephone number, and the product codes for it. Where is_certain is false it is a guess by the prefix.',
      isReadOnly: true,
      properties: { account: TEXT('the number, written in any way') },
      required: ['account'],
      run: async (args) => (await client.lookupNumber({ account: String(args.account) })).data,
    }),
    defineTool({
      name: 'product_form',
      title: 'Form of a product',
      description: 'Fields that a payment of the product needs, and the options of its select fields.',
      isReadOnly: true,
      properties: {
        product: TEXT('product code'),
        values: { type: 'object', description: 'values by field id, where options depend on them' },
        search: TEXT('only options whose code or label has this'),
        limit: COUNT(20, 200),
      },
      required: ['product'],
      async run(args) {
        const product = await client.getProduct(String(args.product))
        const values = (args.values ?? {}) as Readonly<Record<string, string>>
        const search = (textOf(args, 'search') ?? '').toLowerCase()
        const limit = countOf(args, 'limit', 20, 200)
        const options: Record<string, unknown> = {}
        for (const { id, type, data_source: source } of product.fields) {
          if (type !== 'select') continue
          const needed = source?.depends_on ?? []
          options[id] = needed.every((each) => values[each] !== undefined)
            ? await takeUpTo(QUIET, client.optionsFor(product, id, values), limit, ({ code, label }) =>
                `${code} ${label}`.toLowerCase().includes(search),
              )
            : `needs values of ${needed.join(', ')} first`
        }
        const { code, name, fields, fulfillment, min_amount: min, max_amount: max } = product
        return {
          code,
          name,
          fields,
          needs_account: fulfillment.account.from_field === null,
          min,
          max,
          options,
        }
      },
    }),
  ]
}

function signatureTool(): Tool {
  return defineTool({
    name: 'explain_signature',
    title: 'Explain a signature',
    description:
      'Compares a canonical string that a program signed with the right one, and names the part that differs and the ' +
      'usual mistake. Give `ours` (debug.canonical_string of a 401), or method, query, body, timestamp and nonce.',
    isReadOnly: true,
    properties: {
      yours: TEXT('canonical string of the program'),
      ours: TEXT("the service's canonical string"),
      method: TEXT('method of the request'),
      query: TEXT('query as sent, without the question mark'),
      body: TEXT('body as sent'),
      timestamp: TEXT('X-Timestamp'),
      nonce: TEXT('X-Nonce'),
    },
    required: ['yours'],
    async run(args) {
      const right =
        textOf(args, 'ours') ??
        (await canonicalString({
          method: textOf(args, 'method') ?? 'GET',
          query: textOf(args, 'query') ?? '',
          body: textOf(args, 'body'),
          timestamp: textOf(args, 'timestamp') ?? '',
          nonce: textOf(args, 'nonce') ?? '',
        }))
      return { ours: right, ...explainSignature(right, String(args.yours)) }
    },
  })
}
