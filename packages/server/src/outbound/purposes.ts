import type { Names } from './names.ts'
import { createNames } from './names.ts'

// One resolver for each purpose: whoever's names are dead, the names of the others are found.

type Servers = readonly string[] | undefined

const STALE_MS = 10 * 60_000

/** Operators give these names. A payment waits for them, so a failure is soon asked again. */
export function namesOfSuppliers(servers: Servers): Names {
  return createNames({
    servers,
    usesSearchDomains: true,
    lookupMs: 3_000,
    failureKeptMs: 250,
    staleMs: STALE_MS,
  })
}

/** Resellers give these names. A delivery is repeated by its own schedule, so a failure can be remembered. */
export function namesOfWebhooks(servers: Servers): Names {
  return createNames({ servers, failureKeptMs: 5_000 })
}

export function namesOfMail(servers: Servers): Names {
  return createNames({ servers, usesSearchDomains: true, staleMs: STALE_MS })
}
