import type { DatabaseClock } from '../../db/clock.ts'
import type { FailpointName } from '../../lib/failpoints.ts'
import { EMPTY_STATE } from '../../modules/catalog/model/state.rules.ts'
import type { Snapshot } from '../../modules/catalog/model/types.ts'
import { createAttempts } from '../../modules/payments/fulfil/attempts.service.ts'
import { createDispatcher } from '../../modules/payments/fulfil/dispatch.service.ts'
import type { Dispatcher } from '../../modules/payments/fulfil/dispatch.types.ts'
import type { Recovery } from '../../modules/payments/fulfil/recovery.jobs.ts'
import { startRecovery } from '../../modules/payments/fulfil/recovery.jobs.ts'
import type { Resolver } from '../../modules/payments/outcomes/resolve.service.ts'
import { createResolver } from '../../modules/payments/outcomes/resolve.service.ts'
import { createQuoteBook } from '../../modules/payments/quotes/book.service.ts'
import { createIntake } from '../../modules/payments/take/intake.service.ts'
import type { Payments } from '../../modules/payments/take/service.ts'
import { createPayments } from '../../modules/payments/take/service.ts'
import { createDynamicOptions } from '../../modules/providers/options.service.ts'
import type { Order, Outcome } from '../../modules/providers/port/types.ts'
import type { Providers } from '../../modules/providers/registry.service.ts'
import { simulatedOptions } from '../../modules/providers/simulator/options.rules.ts'
import {
  moneyField,
  moneyProduct,
  PERCENTAGE,
  sampleBase,
  sampleLevel,
  textField,
} from '../catalog/catalog-samples.ts'
import {
  createScriptedProvider,
  NEVER,
  NOT_FOUND,
  PENDING,
  providersOf,
} from '../providers/scripted-provider.ts'
import { STEADY_CLOCK } from '../steady-clock.ts'
import { compileAccount } from './judging.ts'
import type { Behaviour } from './payment-model.ts'
import { arrives, BEHAVIOURS, decisionOf, firstAnswer, isHeld, laterAnswer } from './payment-model.ts'
import type { PaymentsBench } from './payments.ts'
import { LEASE_MS, withStatementHooks } from './payments.ts'

// ── The provider: it outlives the processes, and keeps books ──

export const accountOf = (behaviour: Behaviour) => `6012900${1_000 + BEHAVIOURS.indexOf(behaviour)}`
const behaviourOf = ({ account }: Order) => BEHAVIOURS[Number(account.slice(-4)) - 1_000] as Behaviour

export type Books = ReturnType<typeof createBooks>

export function createBooks() {
  const acted = new Map<string, number>()
  const held = new Map<string, (outcome: Outcome) => void>()
  const letGo = new Set<string>()
  // A first sending that ended with its process counts too: after each “not found” comes the next sending.
  const unheard = new Map<string, number>()
  const sendingOf = ({ reference }: Order) => 1 + (unheard.get(reference) ?? 0)
  const provider = createScriptedProvider(
    (order) => {
      const behaviour = behaviourOf(order)
      const sending = sendingOf(order)
      if (!arrives(behaviour, sending)) return Promise.resolve(firstAnswer(behaviour, sending))
      acted.set(order.reference, (acted.get(order.reference) ?? 0) + 1)
      if (!isHeld(behaviour, sending)) return Promise.resolve(firstAnswer(behaviour, sending))
      return new Promise((resolve) => held.set(order.reference, resolve))
    },
    (order) => {
      if (!acted.has(order.reference)) {
        unheard.set(order.reference, sendingOf(order))
        return Promise.resolve(NOT_FOUND)
      }
      const isUndecided = isHeld(behaviourOf(order), sendingOf(order)) && !letGo.has(order.reference)
      return Promise.resolve(laterAnswer(behaviourOf(order), isUndecided))
    },
    { submitTimeoutMs: 30_000 },
  )
  return {
    provider,
    acted,
    letGo(reference: string, behaviour: Behaviour) {
      letGo.add(reference)
      held.get(reference)?.(decisionOf(behaviour))
    },
    letAllGo() {
      for (const answer of held.values()) answer(PENDING)
    },
  }
}

// ── A process: after its death it does nothing any more ──

export type Life = {
  payments: Payments
  dispatcher: Dispatcher
  resolver: Resolver
  recovery: Recovery
  dieAt: FailpointName | null
  isDead: boolean
}

const SNAPSHOT = compileAccount(
  sampleBase({
    products: [
      moneyProduct({ fields: [textField({ numberKind: 'mobile', numberCountry: 'MY' }), moneyField()] }),
    ],
  }),
  sampleLevel({ KITA: PERCENTAGE }),
) as Snapshot

export function startProcess(bench: PaymentsBench, clock: DatabaseClock, { provider }: Books): Life {
  return startProcessWithProviders(bench, clock, providersOf(provider))
}

/** Starts a process that can choose between several providers. */
export function startProcessWithProviders(
  bench: PaymentsBench,
  clock: DatabaseClock,
  providers: Providers,
): Life {
  const life = { dieAt: null, isDead: false } as unknown as Life
  const dieIfDead = () => {
    if (life.isDead) throw new Error('this process is gone')
  }
  const settings = {
    database: withStatementHooks(bench.database, { before: dieIfDead, after: dieIfDead }),
    vault: bench.vault,
    clock,
    catalog: { snapshotFor: () => SNAPSHOT, base: () => EMPTY_STATE.base },
    dynamicOptions: createDynamicOptions({ provider: simulatedOptions }),
    providers: {
      ...providers,
      byCode(code: string) {
        const provider = providers.byCode(code)
        return (
          provider && {
            ...provider,
            submit: (order: Order, signal: AbortSignal, notAfterMs?: number) =>
              life.isDead ? NEVER : provider.submit(order, signal, notAfterMs),
          }
        )
      },
    },
    leaseMs: LEASE_MS,
    leaseClock: STEADY_CLOCK,
    isStaging: false,
    onProblem: () => {},
    failpoint(name: FailpointName) {
      if (name === life.dieAt) life.isDead = true
      dieIfDead()
    },
  }
  const intake = createIntake(settings)
  life.resolver = createResolver(settings)
  const attempts = createAttempts(settings)
  life.dispatcher = createDispatcher({ ...settings, resolver: life.resolver, attempts })
  life.recovery = startRecovery({
    ...settings,
    resolver: life.resolver,
    dispatcher: life.dispatcher,
    attempts,
    everyMs: 86_400_000,
  })
  const quoteBook = createQuoteBook({ ...settings, quoteSeconds: 300 })
  life.payments = createPayments({ ...settings, intake, dispatcher: life.dispatcher, quoteBook })
  return life
}
