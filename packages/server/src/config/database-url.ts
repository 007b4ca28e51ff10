/** Returns the problem with a database's address without quoting it: a password may be anywhere in a wrong one. */
export function databaseUrlProblem(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(text)) return 'must look like postgres://user:password@host:5432/database'
  // The authority ends at the first "/", "?" or "#". One inside a password cuts it short, and the rest of the password
  // would be taken for the name of the database.
  const afterAuthority = text.replace(/^\w+:\/\//, '').replace(/^[^/?#]*/, '')
  if (afterAuthority.includes('@') || afterAuthority.includes('#')) {
    return 'user and password must be percent-encoded: "/" as %2F, "#" as %23, "?" as %3F, "@" as %40'
  }
  if (!URL.canParse(text)) return 'must look like postgres://user:password@host:5432/database'
  return undefined
}

/** Parameters that are no secret; the value of every other one is masked. */
const SHOWN = new Set([
  'application_name',
  'connect_timeout',
  'host',
  'options',
  'port',
  'sslmode',
  'target_session_attrs',
  'user',
])

/** Masks passwords, and keeps every part of the address that helps to find the database. */
export function maskDatabaseUrl(text: string): string {
  const url = new URL(maskUrl(text))
  for (const name of [...url.searchParams.keys()]) {
    if (!SHOWN.has(name)) url.searchParams.set(name, '****')
  }
  return url.toString()
}

export function maskUrl(text: string): string {
  const url = new URL(text)
  if (url.password !== '') url.password = '****'
  return url.toString()
}
