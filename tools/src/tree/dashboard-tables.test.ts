import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { UNCHOSEN } from '../../../packages/forms/src/theme.ts'
import type { OperatorRole } from '../../../packages/server/src/modules/accounts/types.ts'
import { OPERATOR_ROLES } from '../../../packages/server/src/modules/accounts/types.ts'
import * as server from '../../../packages/server/src/modules/operator/kit/roles.rules.ts'
import { THEME_AT_FIRST } from '../../../packages/server/src/modules/orders/settings/rules.ts'
import { readProject } from '../structure/project.ts'

// Tables that the dashboard and the checkout repeat from the service, because packages do not reach into each other.

/** Table of the console. Its files speak to a browser, which the types of the tests do not know. */
type Roles = Pick<typeof server, 'PERMISSIONS' | 'mayDo'> & { ROLES: readonly OperatorRole[] }
const roles = new URL('../../../packages/web/src/console/roles.ts', import.meta.url)
const web = (await import(roles.href)) as Roles

it('the console knows every role and every permission, and gives each to the same roles as the service', () => {
  expect([...web.ROLES].sort()).toEqual([...OPERATOR_ROLES].sort())
  expect([...web.PERMISSIONS].sort()).toEqual([...server.PERMISSIONS].sort())
  for (const permission of server.PERMISSIONS) {
    const may = (mayDo: Roles['mayDo']) => OPERATOR_ROLES.filter((role) => mayDo(role, permission))
    expect([permission, may(web.mayDo)]).toEqual([permission, may(server.mayDo)])
  }
})

it('the checkout and the preview know the theme of an account that has chosen none', () => {
  expect(UNCHOSEN).toEqual(THEME_AT_FIRST)
})

it('no row of a table is opened by a function that leads to a page: it names the page, and is a link', () => {
  const project = readProject(fileURLToPath(new URL('../../..', import.meta.url)))
  const pages = project.list(/^packages\/web\/src\/.*\.tsx$/)
  expect(pages.length).toBeGreaterThan(100)
  const opening = pages.filter(({ text }) => /onOpen=\{[^}]*\}?[^}]*=> (go|change)\(/.test(text))
  expect(opening.map(({ path }) => path)).toEqual([])
})
