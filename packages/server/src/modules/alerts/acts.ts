import { Type } from 'typebox'
import type { Tx } from '../../db/database.ts'
import { input, member } from '../../http/codec.ts'
import { documentedAs } from '../../http/parameters.ts'
import { enumOf, orNull } from '../../http/schemas.ts'
import { assert } from '../../lib/errors.ts'
import { BOOLEAN, nullable, oneOf } from '../../lib/input/fields.ts'
import { ID } from '../../lib/input/ids.ts'
import { EXACT } from '../../lib/input/parameters.ts'
import { getReseller } from '../accounts/service.ts'
import { act } from '../acts/service.ts'
import type { By } from '../acts/types.ts'
import { ALERT } from './core/alerts.codec.ts'
import { clearAlert } from './core/service.ts'
import { lockById } from './core/sql.ts'
import { MAIL_KINDS } from './mail/mail.types.ts'
import type { Addressee } from './mail/preferences.service.ts'
import { findMailLanguage, listAddressees, REGISTERED, switchMail } from './mail/preferences.service.ts'
import { lockPreferences, upsertLanguage } from './mail/preferences.sql.ts'
import { MAIL_LANGUAGES } from './words/types.ts'

/** Clears an alert whose cause is mended. */
export const closeAlert = act({
  name: 'alert.clear',
  input: input({
    id: member(ID, { identifies: 'alert', option: { value: 'NUMBER', help: 'as alert list shows it' } }),
  }),
  async run(tx, { id }) {
    const before = await lockById(tx, id)
    const result = await clearAlert(tx, id)
    return {
      target: { kind: 'alert', id: String(id) },
      before: before === undefined ? null : ALERT.encode(before),
      after: ALERT.encode(result),
      result,
    }
  },
})

/** Chooses the language of one's own mails. */
export const chooseMailLanguage = act({
  name: 'mail.language',
  input: input({
    account: member(EXACT, { identifies: 'reseller' }),
    language: member(oneOf(MAIL_LANGUAGES), { schema: enumOf(MAIL_LANGUAGES, 'Language of your mails') }),
  }),
  async run(tx: Tx, { account, language }, { caller }: By<unknown>) {
    assert(caller.kind === 'member', 'a member chooses it')
    const { id } = await getReseller(tx, account)
    const { userId, username } = caller
    await lockPreferences(tx, id)
    const before = { language: await findMailLanguage(tx, id, userId) }
    await upsertLanguage(tx, id, { userId, language })
    const target = { kind: 'mail_preference', id: `${account}/${username}` }
    return { target, before, after: { language }, result: { language } }
  },
})

/** Switches a kind of mail on or off for a member, or for the registered address. */
export const switchKindOfMail = act({
  name: 'mail.switch',
  input: input({
    account: member(EXACT, { identifies: 'reseller' }),
    memberId: member(nullable(ID), {
      schema: orNull(
        documentedAs(ID, Type.String({ description: "null: the account's registered address" })),
      ),
      identifies: 'member',
    }),
    kind: member(oneOf(MAIL_KINDS), { schema: enumOf(MAIL_KINDS) }),
    on: member(BOOLEAN),
  }),
  async run(tx: Tx, { account, memberId, kind, on: isOn }) {
    const owner = await getReseller(tx, account)
    await lockPreferences(tx, owner.id)
    const userId = memberId ?? REGISTERED
    const of = (all: readonly Addressee[]) => all.find((each) => each.userId === userId)
    const before = of(await listAddressees(tx, owner))
    const result = await switchMail(tx, owner, userId, { kind, isOn })
    const name = before?.name === '' ? 'registered address' : before?.name
    const target = { kind: 'mail_preference', id: `${account}/${name}` }
    return { target, before: before?.isOn ?? null, after: of(result)?.isOn ?? null, result }
  },
})
