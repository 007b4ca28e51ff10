import type { Upgrade } from './packs.service.ts'
import type { Pack } from './types.ts'
import { CLAIMS } from './types.ts'

/** Shows everything that a pack says, with its page for operators. */
export function packView({ id, manifest }: Pack, guide: string) {
  const { testMode, settings, secrets, claims, ...facts } = manifest
  return {
    pack: id,
    name: facts.name,
    version: facts.version,
    summary: facts.summary,
    countries: facts.countries,
    sells: facts.sells,
    currency: facts.currency,
    settings: Object.entries(settings).map(([name, { label, help, usual, type }]) => ({
      name,
      label,
      help,
      usual,
      type,
    })),
    secrets: Object.entries(secrets).map(([name, { label, help }]) => ({ name, label, help })),
    claims: CLAIMS.map((claim) => ({ claim, ...claims[claim] })),
    test_mode: { by: testMode.by, says: testMode.says, settings: testMode.settings },
    upgrade: facts.upgrade,
    guide,
  }
}

export function upgradeView({ differences, ...upgrade }: Upgrade) {
  return {
    ...upgrade,
    differences: differences.map(({ path, now, next, isKept }) => ({ path, now, next, kept: isKept })),
  }
}
