import { Type } from 'typebox'
import { readWithin } from '../../../db/bounded.ts'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { documentedAs } from '../../../http/parameters.ts'
import { orNull } from '../../../http/schemas.ts'
import { ID, parseId } from '../../../lib/input/ids.ts'
import { memberMay } from '../../accounts/members.rules.ts'
import { listUsers } from '../../accounts/service.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import { PLACED_TILL } from '../../tills/codec.ts'
import {
  findOpenShift,
  findShiftDetails,
  findShiftOf,
  listShifts,
  readTillSettings,
} from '../../tills/service.ts'
import { closeShift, joinShift, moveCash, openShift } from '../../tills/shifts.acts.ts'
import type { NamesOf } from '../../tills/shifts.codec.ts'
import { MOVEMENT, SHIFT, SHIFT_REPORT } from '../../tills/shifts.codec.ts'
import { notFound, resellerOf } from '../access/access.service.ts'
import { memberAct } from '../access/acts.service.ts'
import { readPage } from '../access/parameters.rules.ts'
import { dataOf, PAGE, pageOf } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'
import { tillOf, tillSecretOf } from './browser.service.ts'

const TAG = 'Tills'
const PATH = '/portal/v1/shifts'
const TIMEOUT_MS = 8_000

const SHIFT_PARAMS = Type.Object({
  id: documentedAs(ID, Type.String({ description: 'The id of a shift' })),
})

/** Operations on the shifts of tills. */
export function portalShiftOperations(settings: PortalSettings): Operation[] {
  const { authenticate, database, log } = settings
  const stage = { authenticate, log, world: undefined }
  const namesOf = async (resellerId: bigint): Promise<NamesOf> => {
    const users = await listUsers(database, resellerId)
    const names = new Map(users.map(({ id, username }) => [id, username]))
    return (id) => names.get(id) ?? String(id)
  }
  return [
    operation({
      method: 'GET',
      path: '/portal/v1/shift',
      docs: {
        operationId: 'portalGetOwnShift',
        summary: 'The till of this browser, and the shift that you are in',
        tag: TAG,
      },
      schemas: {
        responses: {
          200: dataOf(
            Type.Object(
              {
                till: orNull(PLACED_TILL.schema, 'null: this browser is no till'),
                here: orNull(SHIFT.schema, 'The open shift at that till; null: none'),
                own: orNull(SHIFT.schema, 'The open shift that you are in; null: none'),
                is_required: Type.Boolean({ description: 'true: you sell only while you are in a shift' }),
              },
              { title: 'Own shift' },
            ),
          ),
        },
      },
      authenticate: authenticate('sell'),
      async handle({ caller: { reseller, userId }, request }) {
        const till = await tillOf(settings, request, reseller.id)
        const here = till === undefined ? undefined : await findOpenShift(database, reseller.id, till.id)
        const own = await findShiftOf(database, reseller.id, userId)
        const { requiresShift } = await readTillSettings(database, reseller.id)
        const nameOf = await namesOf(reseller.id)
        const data = {
          till: till === undefined ? null : PLACED_TILL.encode(till),
          here: here === undefined ? null : SHIFT.encode(here, nameOf),
          own: own === undefined ? null : SHIFT.encode(own, nameOf),
          is_required: requiresShift,
        }
        return { status: 200, body: { data } }
      },
    }),
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'portalListShifts',
        summary: 'Shifts and their Z reports, newest first',
        description: 'Those in which you sold; whoever may read the tills sees all.',
        tag: TAG,
      },
      schemas: { query: Type.Object(PAGE), responses: { 200: pageOf(SHIFT.schema) } },
      authenticate: authenticate('payments.own'),
      async handle({ caller, query }) {
        const { before, limit } = readPage(query)
        const page = { memberId: memberFor(caller), before, limit: limit + 1 }
        const found = await listShifts(database, caller.reseller.id, page)
        const nameOf = await namesOf(caller.reseller.id)
        const shown = found.slice(0, limit)
        const hasMore = found.length > limit
        const data = shown.map((each) => SHIFT.encode(each, nameOf))
        const cursor = hasMore ? String(shown.at(-1)?.id) : null
        return { status: 200, body: { data, cursor, has_more: hasMore } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:id`,
      docs: {
        operationId: 'portalGetShift',
        summary: 'A shift with its Z report',
        description:
          'The sums of a closed shift are those of the moment at which it was closed. What a shift sold is told when its cash has ' +
          'been counted.',
        tag: TAG,
      },
      schemas: { params: SHIFT_PARAMS, responses: { 200: dataOf(SHIFT_REPORT.schema) } },
      authenticate: authenticate('payments.own'),
      async handle({ caller, params }) {
        const id = parseId(params.id)
        const { reseller } = caller
        const details =
          id === undefined
            ? undefined
            : await readWithin(database, TIMEOUT_MS, (tx) => findShiftDetails(tx, reseller.id, id))
        const only = memberFor(caller)
        if (details === undefined || (only !== null && !details.memberIds.includes(only))) {
          throw notFound('shift')
        }
        const names = { member: await namesOf(reseller.id), category: categoryNames(settings, caller) }
        return { status: 200, body: { data: SHIFT_REPORT.encode(details, names) } }
      },
    }),
    memberAct(stage, {
      act: openShift,
      method: 'POST',
      path: PATH,
      permission: 'sell',
      docs: {
        operationId: 'portalOpenShift',
        summary: 'Open a shift at the till of this browser',
        description:
          'A till has one open shift, and a member is in one. What its people sell until it is closed is of this till.',
        tag: TAG,
      },
      body: 'Shift request',
      isStrict: true,
      without: ['browser'],
      given: (request) => browserOf(settings, request),
      status: 201,
      answer: SHIFT.schema,
      view: async (shift, { reseller }) => SHIFT.encode(shift, await namesOf(reseller.id)),
    }),
    memberAct(stage, {
      act: joinShift,
      method: 'POST',
      path: `${PATH}/join`,
      permission: 'sell',
      docs: {
        operationId: 'portalJoinShift',
        summary: 'Join the open shift at the till of this browser',
        description: 'Several people then sell from one drawer, until the shift is closed for all of them.',
        tag: TAG,
      },
      hasBody: false,
      without: ['browser'],
      given: (request) => browserOf(settings, request),
      answer: SHIFT.schema,
      view: async (shift, { reseller }) => SHIFT.encode(shift, await namesOf(reseller.id)),
    }),
    memberAct(stage, {
      act: moveCash,
      method: 'POST',
      path: `${PATH}/:id/movements`,
      permission: 'sell',
      docs: {
        operationId: 'portalMoveCash',
        summary: 'Note cash that went in or out, or what was not paid in cash',
        tag: TAG,
      },
      body: 'Cash request',
      isStrict: true,
      status: 201,
      answer: MOVEMENT.schema,
      view: async (movement, { reseller }) => MOVEMENT.encode(movement, await namesOf(reseller.id)),
    }),
    memberAct(stage, {
      act: closeShift,
      method: 'POST',
      path: `${PATH}/:id/close`,
      permission: 'sell',
      docs: {
        operationId: 'portalCloseShift',
        summary: 'Close a shift with the cash that was counted',
        description:
          'For good, by whoever is in it or may change the tills. The service adds up what the drawer should hold: the float, ' +
          'the face values that were sold, and the movements. Each payment is in one report.',
        tag: TAG,
      },
      body: 'Count request',
      isStrict: true,
      answer: SHIFT.schema,
      view: async (shift, { reseller }) => SHIFT.encode(shift, await namesOf(reseller.id)),
    }),
  ]
}

function browserOf(settings: PortalSettings, request: Parameters<typeof tillSecretOf>[1]) {
  const browser = tillSecretOf(settings, request)
  return browser === undefined ? {} : { browser }
}

/** Member whose shifts alone a caller may see; null: all of the shop's. */
function memberFor(caller: MemberCaller): bigint | null {
  return memberMay(caller, 'tills.read') ? null : caller.userId
}

function categoryNames(settings: PortalSettings, caller: MemberCaller): (code: string) => string | null {
  const { categories } = settings.catalog.snapshotFor(resellerOf(settings, caller))
  const known = [...settings.catalog.state().base.categories, ...categories]
  const names = new Map(known.map(({ code, name }) => [code, name]))
  return (code) => names.get(code) ?? null
}
