import type { Database } from '../../db/database.ts'
import { noFailpoint } from '../../lib/failpoints.ts'
import { createResolver } from '../../modules/payments/outcomes/resolve.service.ts'
import { createIntake } from '../../modules/payments/take/intake.service.ts'
import type { Node, PaymentsBench } from './payments.ts'
import { LEASE_MS } from './payments.ts'

export type HeldNode = Node & {
  /** Number of statements that the node has sent. */
  readonly sent: number
  /** Passes everything sent so far on to the database. */
  letThrough(): void
}

/** Opens a node whose statements are held until `letThrough`. */
export function openHeldNode(bench: PaymentsBench): HeldNode {
  const { database } = bench.openNode()
  let waiting: (() => void)[] = []
  let sent = 0
  const held: Database = {
    ...database,
    async query(statement, values) {
      sent += 1
      await new Promise<void>((resolve) => waiting.push(resolve))
      return database.query<never>(statement, values)
    },
  }
  const settings = { database: held, vault: bench.vault, failpoint: noFailpoint, leaseMs: LEASE_MS }
  return {
    database: held,
    intake: createIntake(settings),
    resolver: createResolver(settings),
    get sent() {
      return sent
    },
    letThrough() {
      const arriving = waiting
      waiting = []
      for (const arrive of arriving) arrive()
    },
  }
}
