import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { openTestDatabase } from '../testing/database.ts'
import { main } from './main.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

/** Splits a line into words like a shell: quotes keep spaces. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

it('the first commands work on an empty production database, in the order in which they are printed', async () => {
  const test = await openTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'warung-operating-'))
  const env = {
    WARUNG_ENV: 'production',
    WARUNG_TRUST_PROXY: 'none',
    WARUNG_PUBLIC_URL: 'https://api.example.com',
    WARUNG_DASHBOARD_URL: 'https://app.example.com',
    WARUNG_MAIL_FROM: 'Warung <warung@example.com>',
    WARUNG_SMTP_URL: 'smtps://user:password@mail.example.com',
    WARUNG_MASTER_KEY: test.masterKey.bytes.toString('base64'),
    WARUNG_DATA_DIR: folder,
    DATABASE_URL: test.url,
  }
  try {
    const lines = (await readFile(join(ROOT, 'docs/examples/operating.sh'), 'utf8')).split('\n')
    const commands = lines.filter((line) => line.startsWith('npx warungd '))
    expect(commands.length).toBeGreaterThan(10)
    for (const line of commands) {
      const words = wordsOf(line).slice(2)
      const args = words.map((word) => (word.startsWith('docs/') ? join(ROOT, word) : word))
      let said = ''
      const hear = (text: string) => {
        said += text
      }
      const code = await main(args, { out: hear, err: hear, readInput: async () => '' }, env)
      expect({ line, code, said }).toMatchObject({ line, code: 0 })
    }
  } finally {
    await test.close()
    await rm(folder, { recursive: true, force: true })
  }
}, 120_000)
