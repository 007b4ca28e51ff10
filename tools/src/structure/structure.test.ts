import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkStructure, EXCEPTIONS_FILE } from './check.ts'
import { CLEAN, expectBroken, findings, plant, SERVER } from './trees.fixture.ts'

describe('the tree as a whole', () => {
  it('passes when every rule is kept', () => {
    const { violations, counts } = checkStructure(plant({}), [])
    expect(violations).toEqual([])
    expect(counts).toMatchObject({ files: Object.keys(CLEAN).length, tables: 2 })
  })

  it('is printed as path, line, rule and message, and fails the command', () => {
    const root = plant({
      [`${SERVER}/lib/up.ts`]: "import { one } from '../db/database.ts'\nexport const x = one\n",
    })
    const command = fileURLToPath(new URL('../../dist/structure/command.js', import.meta.url))
    const broken = spawnSync(process.execPath, [command, root], { encoding: 'utf8' })
    expect(broken.status).toBe(1)
    expect(broken.stderr).toContain(`${SERVER}/lib/up.ts:1  layers  lib may not import db`)
    expect(execFileSync(process.execPath, [command, plant({})], { encoding: 'utf8' })).toMatch(
      /^structure ok: \d+ rules, \d+ files, 2 tables\n$/,
    )
  })

  it('leaves out what a listed exception covers, and reports an exception nothing needs', () => {
    const long = { [`${SERVER}/lib/long.ts`]: 'export {}\n'.repeat(401) }
    const exception = { rule: 'file-length', path: `${SERVER}/lib/long.ts`, reason: 'a table' }
    expect(findings(long, [exception])).toEqual([])
    expect(findings({}, [exception])).toEqual([`${EXCEPTIONS_FILE}:1 stale-exception`])
    expect(findings(long, [{ ...exception, about: 'another word' }])).toHaveLength(2)
  })
})

describe('layers', () => {
  const uses = (specifier: string) => `import { x } from '${specifier}'\nexport const y = x\n`

  it.each([
    ['lib/a.ts', '../db/database.ts'],
    ['db/a.ts', '../http/edge.ts'],
    ['http/a.ts', '../modules/wallet/service.ts'],
    ['modules/wallet/jobs.ts', '../../app.ts'],
    ['outbound/a.ts', '../db/database.ts'],
    ['outbound/a.ts', '../modules/wallet/service.ts'],
    ['http/a.ts', '../outbound/client.ts'],
    ['embedded/a.ts', '../db/database.ts'],
    ['embedded/a.ts', 'pino'],
    ['http/a.ts', '../config.ts'],
    ['modules/wallet/jobs.ts', '../../config.ts'],
    ['modules/wallet/jobs.ts', '../../testing/database.ts'],
    ['cli/a.ts', '../testing/database.ts'],
  ])('%s may not import %s', (path, specifier) => {
    expectBroken('layers', `${SERVER}/${path}`, uses(specifier))
  })

  it.each([
    ['export … from', "export { one } from '../db/database.ts'\n"],
    ['import()', "export const x = () => import('../db/database.ts')\n"],
    ['an import for its effect', "import '../db/database.ts'\n"],
    ['import type', "import type { One } from '../db/database.ts'\nexport type Two = One\n"],
    [
      'an import over several lines',
      "import {\n  one, // why\n} from '../db/database.ts'\nexport const x = one\n",
    ],
  ])('are held for %s', (_form, text) => {
    expectBroken('layers', `${SERVER}/lib/a.ts`, text)
  })

  it('are not disturbed by an import that stands in a comment or a string', () => {
    const text = `// import { x } from '../db/database.ts'\nexport const y = "import { x } from '../db/database.ts'"\n`
    expect(findings({ [`${SERVER}/lib/a.ts`]: text })).toEqual([])
  })

  it('know every area of the server', () => {
    expectBroken('layers', `${SERVER}/helpers/a.ts`, 'export const a = 1\n')
  })
})

describe('modules', () => {
  it('are entered through service, directory, types, rules and view alone', () => {
    const path = `${SERVER}/modules/wallet/jobs.ts`
    expectBroken(
      'module-doors',
      path,
      "import { users } from '../accounts/users.sql.ts'\nexport const x = users\n",
    )
    expectBroken('module-doors', path, "import type { R } from '../accounts/routes.ts'\nexport type S = R\n")
    for (const door of ['rules.ts', 'public.sql.ts']) {
      const text = `import type { R } from '../accounts/${door}'\nexport type S = R\n`
      expect(findings({ [path]: text }), door).toEqual([])
    }
    expectBroken('module-doors', path, "import type { R } from '../accounts/sql.ts'\nexport type S = R\n")
  })

  it('have rooms that do not need each other in a circle, nor the files above them', () => {
    const uses = (specifier: string) => `import { x } from '${specifier}'\nexport const y = x\n`
    const room = (name: string) => `${SERVER}/modules/wallet/${name}/rules.ts`
    expect(findings({ [room('a')]: uses('../b/rules.ts'), [room('b')]: uses('../a/rules.ts') })).toContain(
      `${room('b')}:1 room-cycle`,
    )
    const above = { [`${SERVER}/modules/wallet/start.service.ts`]: uses('./a/rules.ts') }
    expect(findings({ ...above, [room('a')]: uses('../rules.ts') })).toEqual([
      `${SERVER}/modules/wallet/start.service.ts:1 room-cycle`,
    ])
    expect(findings({ ...above, [room('a')]: uses('../b/rules.ts') })).toEqual([])
  })

  it('have rooms whose jobs and routes only the files above them use', () => {
    const uses = "import { x } from '../b/jobs.ts'\nexport const y = x\n"
    expectBroken('room-doors', `${SERVER}/modules/wallet/a/service.ts`, uses)
    expectBroken('room-doors', `${SERVER}/modules/wallet/a/service.ts`, uses.replace('jobs', 'b.routes'))
    const above = uses.replace('../b', './b')
    expect(findings({ [`${SERVER}/modules/wallet/start.service.ts`]: above })).toEqual([])
    const routes = uses.replace('jobs', 'routes')
    expect(findings({ [`${SERVER}/modules/wallet/a/routes.ts`]: routes })).toEqual([])
  })

  it('have rooms that are not overfull, tests not counted', () => {
    const files = (count: number, ending: string) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `${SERVER}/modules/wallet/a/n${index}.${ending}`,
          'export const a = 1\n',
        ]),
      )
    expect(findings({ ...files(24, 'rules.ts'), ...files(24, 'rules.test.ts') })).toEqual([])
    expect(findings(files(25, 'rules.ts'))).toEqual([`${SERVER}/modules/wallet/a/n0.rules.ts:1 room-size`])
  })

  it('do not need each other in a circle', () => {
    const text = "import { go } from '../wallet/service.ts'\nexport const x = go\n"
    const { violations } = checkStructure(plant({ [`${SERVER}/modules/accounts/directory.ts`]: text }), [])
    expect(violations).toMatchObject([{ rule: 'module-cycle', message: 'accounts → wallet → accounts' }])
  })

  it('hold files of the known roles only', () => {
    expectBroken('file-role', `${SERVER}/modules/wallet/helpers.ts`, 'export const a = 1\n')
    expectBroken('file-role', `${SERVER}/modules/wallet/a/b/rules.ts`, 'export const a = 1\n')
    expect(findings({ [`${SERVER}/modules/wallet/balances.sql.ts`]: 'export const a = 1\n' })).toEqual([])
    expect(findings({ [`${SERVER}/modules/events/feed/rules.ts`]: 'export const a = 1\n' })).toEqual([])
    expectBroken('file-role', `${SERVER}/modules/events/feed/deeper/rules.ts`, 'export const a = 1\n')
    expect(findings({ [`${SERVER}/modules/wallet/README.md`]: '# Wallet\n' })).toEqual([])
    expectBroken('file-role', `${SERVER}/modules/events/feed/README.md`, '# Feed\n')
  })

  it('hold tests only beside the file they test', () => {
    expectBroken('file-role', `${SERVER}/modules/wallet/view.test.ts`, 'export const a = 1\n')
    expect(findings({ [`${SERVER}/modules/wallet/rules.test.ts`]: 'export const a = 1\n' })).toEqual([])
  })

  it.each(['node:fs', 'node:http', 'pg', './sql.ts', './service.ts', '../../db/database.ts'])(
    'keep rules pure: no %s',
    (specifier) => {
      const path = `${SERVER}/modules/wallet/cost.rules.ts`
      expectBroken('pure-rules', path, `import { x } from '${specifier}'\nexport const y = x\n`)
    },
  )
})

describe('comments', () => {
  it.each([
    '/** What is due. */',
    '// Whoever asks.',
    '/**\n * Of those that are left.\n */',
    '// Where it is.',
    '// ── What is sold ──',
  ])('do not start with a riddle: %s', (comment) =>
    expectBroken('plain-comment', `${SERVER}/lib/a.ts`, `${comment}\nexport const a = 1\n`),
  )

  it('may start with a noun or a verb', () => {
    const text = '/** Limit of a page. */\nexport const a = 1\n// ── Claims ──\n'
    expect(findings({ [`${SERVER}/lib/a.ts`]: text })).toEqual([])
  })
})

describe('titles of tests', () => {
  const fileWith = (test: string) => `import { describe, it } from 'vitest'\n${test}\n`

  it.each([
    "it('what is due is paid', () => {})",
    "describe('whoever asks', () => {})",
    "it.each([1, 2])('of %i the first counts', () => {})",
    "it.concurrent('nobody gets it', () => {})",
  ])('do not start with a riddle: %s', (test) =>
    expectBroken('plain-title', `${SERVER}/lib/a.test.ts`, fileWith(test), 2),
  )

  it('may start with their subject, and other texts may start with anything', () => {
    const text = fileWith("it('a due payment is paid', () => say('what is due'))")
    expect(findings({ [`${SERVER}/lib/a.test.ts`]: text })).toEqual([])
  })
})

describe('files and packages', () => {
  it('do not import each other in a circle', () => {
    const changes = {
      [`${SERVER}/lib/a.ts`]: "import type { B } from './b.ts'\nexport type A = B\n",
      [`${SERVER}/lib/b.ts`]: "import type { A } from './a.ts'\nexport type B = A\n",
    }
    expect(findings(changes)).toEqual([`${SERVER}/lib/b.ts:1 file-cycle`])
  })

  it('do not reach into another package by path', () => {
    expectBroken(
      'package-walls',
      'packages/cli/src/a.ts',
      "import { x } from '../../server/src/app.ts'\nexport const y = x\n",
    )
  })

  it('keep the acceptance tests outside the server', () => {
    const path = 'packages/acceptance/src/a.ts'
    expectBroken('package-walls', path, "import { x } from '@warung/server/app'\nexport const y = x\n")
    expectBroken(
      'package-walls',
      path,
      "import type { X } from '../../server/src/app.ts'\nexport type Y = X\n",
    )
  })
})

describe('faces', () => {
  it.each([
    ['modules/operator/money/money.routes.ts', 'audited(log, act, work)'],
    ['modules/portal/team/service.ts', 'database.transaction(work)'],
    ['cli/commands/money/wallet.ts', 'recorded(call, act, work)'],
  ])('%s may not contain %s', (path, call) => {
    expectBroken('face-acts', `${SERVER}/${path}`, `export const done = ${call}\n`)
  })

  it('an act may contain them', () => {
    const path = `${SERVER}/modules/wallet/acts.ts`
    expect(findings({ [path]: 'export const done = audited(log, act, work)\n' })).toEqual([])
  })
})
