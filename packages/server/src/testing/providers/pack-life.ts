import type { DatabaseClock } from '../../db/clock.ts'
import { createAlerts } from '../../modules/alerts/core/service.ts'
import { createAttempts } from '../../modules/payments/fulfil/attempts.service.ts'
import type { Callbacks } from '../../modules/payments/fulfil/callbacks.service.ts'
import { createCallbacks } from '../../modules/payments/fulfil/callbacks.service.ts'
import { createDispatcher } from '../../modules/payments/fulfil/dispatch.service.ts'
import type { Dispatcher } from '../../modules/payments/fulfil/dispatch.types.ts'
import type { Recovery } from '../../modules/payments/fulfil/recovery.jobs.ts'
import { startRecovery } from '../../modules/payments/fulfil/recovery.jobs.ts'
import { createResolver } from '../../modules/payments/outcomes/resolve.service.ts'
import type { Intake } from '../../modules/payments/take/intake.service.ts'
import { createIntake } from '../../modules/payments/take/intake.service.ts'
import type { Provider } from '../../modules/providers/port/types.ts'
import type { PaymentsBench } from '../payments/payments.ts'
import { LEASE_MS, withStatementHooks } from '../payments/payments.ts'
import { STEADY_CLOCK } from '../steady-clock.ts'
import { NEVER, providersOf } from './scripted-provider.ts'

/** A process of the service. After its death it writes nothing, sends nothing and hears nothing. */
export type PackLife = {
  readonly intake: Intake
  readonly dispatcher: Dispatcher
  readonly recovery: Recovery
  readonly callbacks: Callbacks
  readonly problems: string[]
  readonly isDead: boolean
  /** Lets it die when it has passed so many places of its code. */
  doom(places: number): void
  /** Rejects when it dies. */
  readonly death: Promise<never>
}

export function startPackLife(
  bench: PaymentsBench,
  clock: DatabaseClock,
  given: readonly Provider[],
): PackLife {
  let left = Number.POSITIVE_INFINITY
  let die: (error: Error) => void = () => {}
  const death = new Promise<never>((_, reject) => {
    die = reject
  })
  // A process that nobody waits for may die, too.
  death.catch(() => {})
  const problems: string[] = []
  const life = { isDead: false, death, problems } as unknown as {
    -readonly [K in keyof PackLife]: PackLife[K]
  }
  const dieIfDead = () => {
    if (life.isDead) throw new Error('this process is gone')
  }
  const failpoint = () => {
    left -= 1
    if (left <= 0 && !life.isDead) {
      life.isDead = true
      die(new Error('this process died'))
    }
    dieIfDead()
  }
  const unlessDead = <T>(work: () => Promise<T>): Promise<T> => (life.isDead ? NEVER : work())
  const providers = providersOf(
    ...given.map((provider) => ({
      ...provider,
      submit: (...args: Parameters<Provider['submit']>) => unlessDead(() => provider.submit(...args)),
      query: (...args: Parameters<Provider['query']>) => unlessDead(() => provider.query(...args)),
    })),
  )
  const hooked = withStatementHooks(bench.database, { before: dieIfDead, after: dieIfDead })
  const database: typeof hooked = {
    ...hooked,
    transaction(work) {
      dieIfDead()
      return hooked.transaction(work)
    },
  }
  const settings = {
    database,
    vault: bench.vault,
    clock,
    providers,
    leaseMs: LEASE_MS,
    leaseClock: STEADY_CLOCK,
    failpoint,
    onProblem: (text: string, error: unknown) => void problems.push(`${text}: ${String(error)}`),
  }
  const resolver = createResolver(settings)
  const attempts = createAttempts(settings)
  const dispatcher = createDispatcher({ ...settings, resolver, attempts })
  return Object.assign(life, {
    doom(places: number) {
      left = places
    },
    intake: createIntake(settings),
    dispatcher,
    recovery: startRecovery({ ...settings, resolver, dispatcher, attempts, everyMs: 86_400_000 }),
    callbacks: createCallbacks({
      ...settings,
      resolver,
      alerts: createAlerts({ database, onRaised: () => {} }),
      onCallbackTrouble: () => {},
    }),
  })
}
