import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Vault } from '../../../db/vault.ts'
import { UnknownDataKeyError } from '../../../db/vault.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { listMails } from './mail.service.ts'
import { openMail, queueSecretMail } from './outbox.service.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

it('a mail that carries what opens a door is readable to who sends it, on any node, and not in the database', async () => {
  const words = { subject: 'A new password', body: 'Token: wpr_of-somebody\n' }
  const secret = { ...words, resellerId: null, kind: 'password_reset', recipient: 'siti@example.com' }
  await test.database.transaction((tx) => queueSecretMail(tx, test.vault, secret))
  const { rows } = await test.database.query<{ row: string; sealed: Buffer }>(
    'select m::text as row, sealed_body as sealed from mails m',
  )
  expect(`${rows[0]?.row} ${rows[0]?.sealed.toString('latin1')}`).not.toContain('wpr_')
  let isFresh = false
  const behind: Vault = {
    ...test.vault,
    open(context, sealed) {
      if (!isFresh) throw new UnknownDataKeyError(7)
      return test.vault.open(context, sealed)
    },
    async refresh() {
      isFresh = true
    },
  }
  const [mail] = await listMails(test.database, { limit: 1 })
  if (mail === undefined) throw new Error('nothing was queued')
  expect(mail.body).toBe('')
  expect(await openMail(behind, mail)).toMatchObject({ ...words, recipient: 'siti@example.com' })
})
