import type { Client } from './client.ts'
import { createClient } from './client.ts'
import type { PortalOperations } from './portal-operations.generated.ts'
import { PORTAL_ROUTES } from './portal-operations.generated.ts'
import { readsOf } from './reads.ts'
import { announceSignedOut, askForProof } from './signals.ts'

export type { PortalOperations } from './portal-operations.generated.ts'

/** Client of the portal's API, for the signed-in member. */
export const portal: Client<PortalOperations> = createClient<PortalOperations>(PORTAL_ROUTES, {
  onSignedOut: announceSignedOut,
  onProofRequired: askForProof,
})

export const {
  keyOf: portalKey,
  queryOf: portalQuery,
  useRead: usePortal,
  useReadAhead: usePortalAhead,
} = readsOf('portal', portal)
