import type { Upgrade } from './packs.service.ts'

export function upgradeView({ differences, ...upgrade }: Upgrade) {
  return {
    ...upgrade,
    differences: differences.map(({ path, now, next, isKept }) => ({ path, now, next, kept: isKept })),
  }
}
