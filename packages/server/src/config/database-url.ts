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
