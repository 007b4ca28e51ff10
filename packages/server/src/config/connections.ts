import type { readerOf } from './reader.ts'

const CONNECTIONS_MAX = 20_000
/** Share of all connections for one address, 1/4: generous for many clients behind one, and never all of them. */
const SHARE_OF_ONE = 4

export function readConnections({ integer }: Pick<ReturnType<typeof readerOf>, 'integer'>) {
  const connectionsMax = integer('WARUNG_CONNECTIONS_MAX', CONNECTIONS_MAX, 1, 1_000_000)
  const share = Math.ceil(connectionsMax / SHARE_OF_ONE)
  return {
    connectionsMax,
    connectionsPerAddressMax: integer('WARUNG_CONNECTIONS_PER_ADDRESS', share, 1, 1_000_000),
    writeStallMs: 1_000 * integer('WARUNG_WRITE_STALL_SECONDS', 60, 1, 600),
  }
}
