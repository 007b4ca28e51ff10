/**
 * Older names of actions, by the name that every face of the service writes today. Rows are never rewritten, so a search
 * for the name finds them by this table.
 */
const OLDER_NAMES: Readonly<Record<string, readonly string[]>> = {
  'level.create': ['catalogue.change'],
  'price.set': ['catalogue.change'],
  'permission.set': ['catalogue.change'],
  'allowlist.add': ['allowlist.change'],
  'allowlist.remove': ['allowlist.change'],
  'allowlist.clear': ['allowlist.change'],
  'settings.update': ['reseller.update'],
}

/** Lists the older names of an action, or of all actions that begin with these words. */
export function olderNamesOf(action: string): string[] {
  const found = Object.entries(OLDER_NAMES).flatMap(([name, older]) =>
    name === action || name.startsWith(`${action}.`) ? older : [],
  )
  return [...new Set(found)]
}
