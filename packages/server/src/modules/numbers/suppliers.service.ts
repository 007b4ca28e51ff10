import type { Database } from '../../db/database.ts'
import type { NumberOperator } from '../../lib/numbers/plans.ts'
import type { LookupCapability } from '../providers/port/types.ts'
import type { Providers } from '../providers/registry.service.ts'
import { operatorCalled } from './rules.ts'
import { claimQuestion, findTold, keepTold, sweepTold } from './suppliers.sql.ts'
import type { Sign } from './types.ts'

export type SupplierSettings = {
  readonly database: Database
  readonly providers: Pick<Providers, 'list' | 'takesOrders' | 'isOpen'>
  readonly onProblem: (text: string, error: unknown) => void
}

/** Days for which a supplier's answer counts. */
const TOLD_DAYS = 30
/** Time of all questions about a number: somebody waits at a counter. */
const ASKING_MS = 800
/** Questions of a node at one time; more are not asked. */
const UNDERWAY_MAX = 16
const SWEEP_STEP = 5_000

export type NumberQuestion = {
  readonly number: string
  readonly country: string | null
  readonly operators: readonly NumberOperator[]
}

export type SupplierSigns = {
  /** Returns the sign that a supplier gave lately. */
  find(question: NumberQuestion): Promise<Sign | undefined>
  /** Asks the suppliers that can tell, once a day and number. Whatever goes wrong is silence. */
  ask(question: NumberQuestion): Promise<Sign | undefined>
  sweep(): Promise<void>
}

export function createSupplierSigns({ database, providers, onProblem }: SupplierSettings): SupplierSigns {
  let underway = 0

  async function find({ number, operators }: NumberQuestion): Promise<Sign | undefined> {
    return signOf(await findTold(database, number, TOLD_DAYS), operators)
  }

  async function ask(question: NumberQuestion): Promise<Sign | undefined> {
    const asked = providers
      .list()
      .flatMap(({ code, lookups }) =>
        lookups !== undefined && providers.takesOrders(code) && !providers.isOpen(code) ? [lookups] : [],
      )
    if (asked.length === 0 || underway >= UNDERWAY_MAX) return undefined
    underway += 1
    try {
      if (!(await claimQuestion(database, question.number))) return undefined
      const told = await firstAnswer(asked, question)
      if (told === undefined) return undefined
      return signOf(await keepTold(database, question.number, told), question.operators)
    } catch (error) {
      onProblem('a supplier could not be asked about a number', error)
      return undefined
    } finally {
      underway -= 1
    }
  }

  return {
    find,
    ask,
    async sweep() {
      while ((await sweepTold(database, TOLD_DAYS, SWEEP_STEP)) === SWEEP_STEP) {
        // Each step is a transaction of its own.
      }
    },
  }
}

/** Asks one after the other while the time lasts. */
async function firstAnswer(
  asked: readonly LookupCapability[],
  { number, country }: NumberQuestion,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(ASKING_MS)
  const over = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  for (const lookups of asked) {
    if (signal.aborted) return undefined
    const answer = await Promise.race([
      lookups.lookUp({ number, country }, signal).catch(() => undefined),
      over,
    ])
    if (answer?.kind === 'found') return answer.operator
  }
  return undefined
}

function signOf(
  told: { readonly operator: string; readonly answered_at: Date } | undefined,
  operators: readonly NumberOperator[],
): Sign | undefined {
  const operator = told && operatorCalled(told.operator, operators)
  return told && operator && { source: 'supplier', operator, at: told.answered_at }
}
