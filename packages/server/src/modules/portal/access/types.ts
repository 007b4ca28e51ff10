import type { Environment } from '../../../config.ts'
import type { Database } from '../../../db/database.ts'
import type { Reader } from '../../../db/standby/reader.ts'
import type { Vault } from '../../../db/vault.ts'
import type { Exports } from '../../../http/streams/exports.ts'
import type { LivePlans } from '../../../lib/numbers/plans.ts'
import type { Turns } from '../../../lib/turns.ts'
import type { CountedKeys, Directory } from '../../accounts/types.ts'
import type { Approvals } from '../../approvals/types.ts'
import type { AuditLog } from '../../audit/types.ts'
import type { Cases } from '../../cases/service.ts'
import type { Catalog } from '../../catalog/model/store.types.ts'
import type { Endpoints } from '../../events/endpoints/endpoints.service.ts'
import type { Feed } from '../../events/feed/feed.service.ts'
import type { DeliveryLog } from '../../events/log/log.service.ts'
import type { Replays } from '../../events/log/replay.service.ts'
import type { TestEvents } from '../../events/log/test-events.service.ts'
import type { Network } from '../../network/service.ts'
import type { Quotes } from '../../payments/quotes/service.ts'
import type { PaymentListing } from '../../payments/read/listing.service.ts'
import type { Previews } from '../../payments/take/preview.service.ts'
import type { SessionsOptions } from '../../sessions/people/settings.types.ts'
import type { MemberAuthenticator } from '../../sessions/people/types.ts'
import type { Balances } from '../../wallet/balance/balances.service.ts'
import type { WalletListing } from '../../wallet/statement/listing.service.ts'

/** Dependencies of the portal's operations. */
export type PortalSettings = {
  readonly authenticate: MemberAuthenticator
  /** Checks the password again, for changes that need it. */
  readonly sessions: SessionsOptions
  readonly log: AuditLog
  /** Requests of operators, which an admin of the account may decide. */
  readonly approvals: Approvals
  readonly environment: Environment
  readonly database: Database
  /** Answers sums and lists that nobody decides upon. */
  readonly reader: Pick<Reader, 'transaction'>
  readonly vault: Vault
  readonly countedKeys: CountedKeys
  readonly directory: Pick<Directory, 'findReseller' | 'ageMs' | 'refresh'>
  readonly catalog: Pick<Catalog, 'snapshotFor' | 'state' | 'refresh'>
  readonly network: Pick<Network, 'stateFor'>
  /** Plans by which numbers are read. */
  readonly numbers: LivePlans
  readonly balances: Pick<Balances, 'get'>
  readonly payments: PaymentListing
  /** Judges payments without making them. */
  readonly previews: Previews
  readonly quotes: Quotes
  readonly entries: WalletListing
  readonly exports: Exports
  /** Turns of the operations that read much. */
  readonly reads: Turns
  readonly cases: Cases
  readonly endpoints: Endpoints
  readonly deliveryLog: DeliveryLog
  readonly replays: Replays
  readonly testEvents: TestEvents
  readonly feed: Feed
  /** Addresses from which deliveries are sent. Empty: the operator has not named them. */
  readonly senderAddresses: readonly string[]
  /** Name of the company on statements and reports. */
  readonly issuer: string
  readonly now: () => Date
}
