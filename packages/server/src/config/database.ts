import type { Env, ReadSetting, SettingProblem } from './reader.ts'
import { present } from './reader.ts'

export type DatabaseSource =
  | { kind: 'embedded' }
  | {
      kind: 'external'
      url: string
      /** Address of a standby for reads that decide nothing. */
      readUrl?: string | undefined
    }

/** Reads where the database is: the embedded server, or the one that an address names. */
export function readDatabase(
  env: Env,
  read: ReadSetting,
  environment: 'staging' | 'production',
  problems: SettingProblem[],
): DatabaseSource {
  const url = read('DATABASE_URL')
  const readUrl = read('DATABASE_READ_URL')
  const isWished = read('WARUNG_EMBEDDED') === true
  if (present(env.WARUNG_SCHEMA) && [url, readUrl].some((given) => given?.includes('search_path'))) {
    problems.push(['WARUNG_SCHEMA', 'the address of the database has a search_path: name the schema once'])
  }
  if (present(env.DATABASE_URL)) return { kind: 'external', url: url ?? env.DATABASE_URL, readUrl }
  if (readUrl !== undefined) problems.push(['DATABASE_READ_URL', 'needs DATABASE_URL, whose standby it is'])
  if (environment === 'production' && !isWished) {
    problems.push([
      'DATABASE_URL',
      'production needs a PostgreSQL server (or WARUNG_EMBEDDED=1 to wish for the embedded one)',
    ])
  }
  return { kind: 'embedded' }
}
