import type { Names } from './names.ts'
import { createNames } from './names.ts'

// Resolvers, one for each purpose: dead names of one purpose do not delay the names of the others.

type Servers = readonly string[] | undefined

const STALE_MS = 10 * 60_000

/** Resolves names that operators give. A payment waits for them, so a failure is soon asked again. */
export function namesOfSuppliers(servers: Servers): Names {
  return createNames({
    servers,
    usesSearchDomains: true,
    lookupMs: 3_000,
    failureKeptMs: 250,
    staleMs: STALE_MS,
  })
}

/** Resolves names that resellers give. A delivery is repeated by its own schedule, so a failure can be remembered. */
export function namesOfWebhooks(servers: Servers): Names {
  return createNames({ servers, failureKeptMs: 5_000 })
}

export function namesOfMail(servers: Servers): Names {
  return createNames({ servers, usesSearchDomains: true, staleMs: STALE_MS })
}

export function namesOfTraces(servers: Servers): Names {
  return createNames({ servers, usesSearchDomains: true, staleMs: STALE_MS })
}
