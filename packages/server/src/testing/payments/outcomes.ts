import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import type { Failpoint } from '../../lib/failpoints.ts'
import { noFailpoint } from '../../lib/failpoints.ts'
import { createAlerts } from '../../modules/alerts/core/service.ts'
import { createAttempts } from '../../modules/payments/fulfil/attempts.service.ts'
import { createDispatcher } from '../../modules/payments/fulfil/dispatch.service.ts'
import type { Dispatcher } from '../../modules/payments/fulfil/dispatch.types.ts'
import { durableAttempts, durableResolver } from '../../modules/payments/fulfil/kept-answers.service.ts'
import { createOutcomeFiles } from '../../modules/payments/outcomes/outcome-files.service.ts'
import type { OutcomesSettings } from '../../modules/payments/outcomes/outcomes.service.ts'
import { createOutcomes } from '../../modules/payments/outcomes/outcomes.service.ts'
import type { Outcomes } from '../../modules/payments/outcomes/outcomes.types.ts'
import type { Resolver } from '../../modules/payments/outcomes/resolve.service.ts'
import { createResolver } from '../../modules/payments/outcomes/resolve.service.ts'
import type { Providers } from '../../modules/providers/registry.service.ts'
import { LEASE_MS } from './payments.ts'

export function newOutcomeDirectory(): string {
  return join(tmpdir(), `warung-outcomes-${randomUUID()}`)
}

/** Makes the outcomes of a process, by default with its own data directory. Retries begin when it is started. */
export function newOutcomes(
  { database, vault }: { readonly database: Database; readonly vault: Vault },
  settings: Partial<OutcomesSettings> & { readonly directory?: string } = {},
): Outcomes {
  const { directory = newOutcomeDirectory(), ...others } = settings
  return createOutcomes({
    files: createOutcomeFiles({ directory, vault }),
    alerts: createAlerts({ database, onRaised: () => {} }),
    onProblem: () => {},
    ...others,
  })
}

/** Part of a node that receives answers and writes them, with its own database and directory. */
export type ResolverNode = {
  readonly outcomes: Outcomes
  readonly dispatcher: Dispatcher
  readonly resolver: Resolver
  readonly problems: string[]
  /** Closes the node as a stop does. */
  close(): Promise<void>
}

export async function openResolverNode(
  { vault }: { readonly vault: Vault },
  database: Database,
  settings: Partial<OutcomesSettings> & {
    readonly directory: string
    readonly providers: Providers
    readonly failpoint?: Failpoint
  },
): Promise<ResolverNode> {
  const { providers, failpoint = noFailpoint, ...others } = settings
  const problems: string[] = []
  const onProblem = (text: string, error: unknown) => problems.push(`${text}: ${String(error)}`)
  const outcomes = newOutcomes({ database, vault }, { onProblem, ...others })
  const openResolver = () => createResolver({ database, vault, failpoint })
  const resolver = durableResolver(outcomes, openResolver(), openResolver())
  const attempts = durableAttempts(outcomes, createAttempts({ database, leaseMs: LEASE_MS, failpoint }))
  const dispatcher = createDispatcher({
    providers,
    resolver,
    attempts,
    leaseMs: LEASE_MS,
    failpoint,
    onProblem,
  })
  await outcomes.start()
  return {
    outcomes,
    dispatcher,
    resolver,
    problems,
    async close() {
      await dispatcher.drain()
      await outcomes.close()
      await Promise.all([attempts.drain(), resolver.drain()])
    },
  }
}
