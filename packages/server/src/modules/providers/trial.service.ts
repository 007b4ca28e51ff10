import { randomBytes } from 'node:crypto'
import { formatMoney, UNITS_PER_RINGGIT } from '../../lib/money.ts'
import type { Connections } from './connections/connections.service.ts'
import { getConnection, openSecrets } from './connections/connections.service.ts'
import { findConnectionRow } from './connections/connections.sql.ts'
import type { Order, Provider, QueryAnswer } from './port/types.ts'

/** A question to a provider and its answer. */
export type Trial = {
  readonly question: 'health' | 'float' | 'query'
  readonly isOk: boolean
  readonly answer: string
  readonly tookMs: number
}

/**
 * Asks a provider questions that buy nothing: its health, its float, and an order that nobody made. Each has the time
 * of a query. Returns none when it offers nothing of that.
 */
export async function tryProvider(
  settings: Connections,
  code: string,
  productCode: string,
): Promise<Trial[]> {
  const provider = await createProvider(settings, code)
  const { health, float } = provider
  const trials: Trial[] = []
  if (health !== undefined) {
    trials.push(
      await timed(provider, 'health', async (signal) => healthAnswer(await health.isHealthy(signal))),
    )
  }
  if (float !== undefined) {
    trials.push(
      await timed(provider, 'float', async (signal) => {
        const answer = await float.readFloat(signal)
        if (answer.kind === 'unknown') return { isOk: false, answer: answer.reason }
        const { amount, currency = 'MYR' } = answer
        return {
          isOk: true,
          answer: `${currency === 'MYR' ? 'RM' : currency} ${formatMoney(amount)} is left`,
        }
      }),
    )
  }
  if (provider.asksByRepeating !== undefined) {
    const answer = 'not asked: its question is the order itself, which would buy something'
    trials.push({ question: 'query', isOk: true, answer, tookMs: 0 })
  } else if (provider.canBeAsked !== false) {
    const made = unknownOrder(productCode)
    const order = { ...made, reference: provider.referenceOf?.(made) ?? made.reference }
    trials.push(
      await timed(provider, 'query', async (signal) => queryAnswer(await provider.query(order, signal))),
    )
  }
  return trials
}

/** Makes the provider of a connection, also one that takes no orders. */
export async function createProvider(
  { database, vault, kinds }: Connections,
  code: string,
): Promise<Provider> {
  const { kind, config } = await getConnection(database, code)
  const row = await findConnectionRow(database, code)
  const connector = kinds.get(kind)
  if (connector === undefined || row === undefined) {
    throw new Error(`a provider of kind ${kind} cannot be made here`)
  }
  return connector.create({ code, config, secrets: await openSecrets(vault, row) })
}

type Said = { readonly isOk: boolean; readonly answer: string }

async function timed(
  { queryTimeoutMs }: Provider,
  question: Trial['question'],
  ask: (signal: AbortSignal) => Promise<Said>,
): Promise<Trial> {
  const begunMs = performance.now()
  const said = await ask(AbortSignal.timeout(queryTimeoutMs)).catch((error: unknown) => ({
    isOk: false,
    answer: error instanceof Error ? error.message : String(error),
  }))
  return { question, ...said, tookMs: Math.round(performance.now() - begunMs) }
}

function healthAnswer(isHealthy: boolean): Said {
  return { isOk: isHealthy, answer: isHealthy ? 'it works' : 'it does not say that it works' }
}

/**
 * Accepts only `not_found`: a provider that knows an order that nobody made would give the same answer about orders
 * that it never got.
 */
function queryAnswer(answer: QueryAnswer): Said {
  switch (answer.kind) {
    case 'not_found':
      return { isOk: true, answer: 'an order that nobody made is not found, as it should be' }
    case 'unknown':
      return { isOk: false, answer: answer.reason }
    case 'succeeded':
    case 'failed':
    case 'pending':
    case 'not_acted':
    case 'reversed':
      return {
        isOk: false,
        answer: `an order that nobody made is called ${answer.kind}: mend the table of query`,
      }
  }
}

function unknownOrder(productCode: string): Order {
  return {
    reference: `WTEST-${randomBytes(8).toString('hex')}`,
    productCode,
    account: '60100000000',
    amount: UNITS_PER_RINGGIT,
    faceValue: UNITS_PER_RINGGIT,
    subproductCode: null,
    billerCode: null,
    ref2: null,
    icNumber: null,
    submittedAt: new Date(),
  }
}
