import { describe, expect, it } from 'vitest'
import { checkStructure } from './check.ts'
import { MARKDOWN_WORDS_MAX } from './hygiene.ts'
import { expectBroken, findings, plant, SERVER } from './trees.fixture.ts'

describe('SQL', () => {
  it.each([
    "'select 1'",
    '`\n  select id from users`',
    "'insert into users (id) values ($1)'",
    "'update users u set id = $1'",
    "'DELETE FROM users'",
    '`with gone as (delete from users returning id) select id from gone`',
    "'truncate users'",
  ])('stands in sql.ts files only: %s', (literal) => {
    expectBroken('sql-place', `${SERVER}/modules/wallet/jobs.ts`, `\nexport const s = ${literal}\n`, 2)
  })

  it('is not seen in sentences', () => {
    const text =
      "export const s = ['Select a product from the list', 'update the settings', 'deleted from the list']\n// select id from users\n"
    expect(findings({ [`${SERVER}/modules/wallet/jobs.ts`]: text })).toEqual([])
  })

  it.each([
    'insert into users (id) values (1)',
    'update users set id = 1',
    'delete from only users',
    'truncate table users',
    'lock table users in exclusive mode',
    'select id from users',
    'select w.id from wallets w join users u on u.id = w.id',
    'select w.id from wallets join users using (id)',
    'select w.id from wallets as w, users u',
    'delete from wallets using users where users.id = wallets.id',
    'with u as (select id from "users") select id from u',
  ])('touches the tables of its own module only: %s', (statement) => {
    expectBroken('table-home', `${SERVER}/modules/wallet/more.sql.ts`, `export const s = \`${statement}\`\n`)
  })

  it('leases the tables of its own module only', () => {
    const text = (table: string) => `export const lease = defineLease({\n  table: '${table}',\n})\n`
    expect(findings({ [`${SERVER}/modules/wallet/more.sql.ts`]: text('wallets') })).toEqual([])
    expectBroken('table-home', `${SERVER}/modules/wallet/more.sql.ts`, text('users'))
  })

  it('outside the modules touches the tables of db alone, and there only in db/', () => {
    expectBroken('table-home', `${SERVER}/db/a.ts`, "export const s = 'select id from users'\n")
    expectBroken('table-home', `${SERVER}/cli/sql.ts`, "export const s = 'select id from users'\n")
  })

  it('names its tables, so that their owners can be checked', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a file
    const text = 'export const s = `select id from ${table}`\n'
    expectBroken('table-home', `${SERVER}/modules/wallet/more.sql.ts`, text)
  })

  it('may mention another table in a comment or a text', () => {
    const text =
      "export const s = `select id -- not from users\\n from wallets where note = 'copied from users'`\n"
    expect(findings({ [`${SERVER}/modules/wallet/more.sql.ts`]: text })).toEqual([])
  })
})

describe('groups in one database', () => {
  it.each([
    'select id from public.wallets',
    "select 1 from pg_tables where schemaname = 'public'",
    'select pg_advisory_xact_lock($1)',
    "select pg_try_advisory_lock(hashtextextended('wallets', 0)) as is_ours",
    "select pg_notify('wallets', '')",
  ])('are kept apart: %s', (statement) => {
    expectBroken('schema-mark', `${SERVER}/modules/wallet/more.sql.ts`, `export const s = \`${statement}\`\n`)
  })

  it('are kept apart in functions, too', () => {
    const path = 'packages/server/functions/wallet/tell.sql'
    const text = (channel: string) =>
      `-- Tells.\ncreate or replace function tell() returns void language plpgsql as $$ begin\n` +
      `  perform pg_notify(${channel}, '');\nend $$;\n`
    expectBroken('schema-mark', path, text("'wallets'"), 3)
    expect(findings({ [path]: text("channel_prefix() || 'wallets'") })).toEqual([])
  })
})

describe('migrations', () => {
  it('name the owner of every table, a module that exists', () => {
    const second = 'packages/server/migrations/0002_second.sql'
    expectBroken('table-owner', second, '-- owner: wallet\n\ncreate table entries (id int);\n', 3)
    expectBroken('table-owner', second, '-- owner: nobody\ncreate table entries (id int);\n', 2)
  })

  it('hand the owner on to partitions and renamed tables, and forget dropped ones', () => {
    const second =
      'create table wallets_1 partition of wallets default;\nalter table wallets_1 rename to wallets_2;\ndrop table users;\n'
    const changes = { 'packages/server/migrations/0002_second.sql': second }
    expect(findings(changes)).toEqual([])
    const statement = "export const s = 'select id from wallets_2, users'\n"
    expect(findings({ ...changes, [`${SERVER}/modules/accounts/sql.ts`]: statement })).toEqual([
      `${SERVER}/modules/accounts/sql.ts:1 table-home`,
    ])
  })

  it('key the tables of payments, wallets, events and orders by reseller', () => {
    const second = 'packages/server/migrations/0002_second.sql'
    const table = (key: string) =>
      `-- owner: wallet\ncreate table entries (\n  reseller_id bigint,\n${key}\n);\n`
    expect(findings({ [second]: table('  id bigint,\n  primary key (reseller_id, id)') })).toEqual([])
    expect(findings({ [second]: table('  singleton boolean primary key') })).toEqual([])
    expectBroken('reseller-key', second, table('  id bigint,\n  primary key (id, reseller_id)'), 2)
    expectBroken('reseller-key', second, table('  id bigint generated always as identity primary key'), 2)
  })

  it('are numbered without gaps', () => {
    expectBroken('migration-number', 'packages/server/migrations/0003_third.sql', '')
    expectBroken('migration-number', 'packages/server/migrations/second.sql', '')
    expect(findings({ 'packages/server/migrations/0001_again.sql': '' })).toHaveLength(1)
  })
})

describe('functions', () => {
  const folder = 'packages/server/functions'
  const text = (name: string, body = 'select 1') =>
    `-- What it does.\ncreate or replace function ${name}(p_reseller bigint) returns void language plpgsql as $$ ${body} $$;\n`

  it('stand one to a file of their name, in the folder of a module', () => {
    expect(findings({ [`${folder}/wallet/lock_all.sql`]: text('lock_all') })).toEqual([])
    expectBroken('function-file', `${folder}/wallet/other.sql`, text('lock_all'))
    expectBroken('function-file', `${folder}/nobody/lock_all.sql`, text('lock_all'))
    expectBroken('function-file', `${folder}/lock_all.sql`, text('lock_all'))
    expectBroken('function-file', `${folder}/wallet/lock_all.sql`, text('lock_all') + text('second'))
    expectBroken('function-file', `${folder}/wallet/lock_all.sql`, text('lock_all').replace(/^.*\n/, ''))
  })

  it('are told whose rows to touch', () => {
    const path = `${folder}/wallet/drop_entries.sql`
    const dropping = (parameters: string, result = 'void') =>
      `-- Drops.\ncreate or replace function drop_entries(${parameters}) returns ${result} language plpgsql as $$ delete from wallets $$;\n`
    expect(findings({ [path]: dropping('p_resellers bigint[], p_ids bigint[]') })).toEqual([])
    expect(findings({ [path]: dropping('', 'trigger') })).toEqual([])
    expectBroken('reseller-key', path, dropping('p_ids bigint[]'))
  })

  it('touch the tables of their own module only', () => {
    const own = text('lock_all', 'select id from wallets')
    expect(findings({ [`${folder}/wallet/lock_all.sql`]: own })).toEqual([])
    expectBroken('table-home', `${folder}/accounts/lock_all.sql`, own)
    expectBroken('table-home', `${folder}/wallet/lock_all.sql`, text('lock_all', 'delete from users'))
  })

  it.each(['create function f()', 'create or replace trigger t after insert', 'CREATE PROCEDURE p()'])(
    'stand nowhere else: %s',
    (statement) => {
      expectBroken('function-place', 'packages/server/migrations/0002_second.sql', `\n${statement};\n`, 2)
      expectBroken(
        'function-place',
        `${SERVER}/modules/wallet/more.sql.ts`,
        `export const s = '${statement}'\n`,
      )
    },
  )

  it('functions with more than five parameters are called by name', () => {
    const six = text('take').replace(
      'take(p_reseller bigint)',
      'take(p_a int, p_b int, p_c int, p_d int, p_e int, p_f int)',
    )
    const files = (call: string) => ({
      [`${folder}/wallet/take.sql`]: six,
      [`${SERVER}/modules/wallet/more.sql.ts`]: `export const s = 'select ${call}'\n`,
      [`${folder}/wallet/five.sql`]: text('five', `select ${call}`),
    })
    expect(findings(files('take(p_a => 1, p_b => 2)'))).toEqual([])
    expect(
      findings({ [`${SERVER}/modules/wallet/more.sql.ts`]: "export const s = 'select take(...)'\n" }),
    ).toEqual([])
    expect(findings(files('take(1, 2)'))).toEqual([
      `${folder}/wallet/five.sql:2 named-arguments`,
      `${SERVER}/modules/wallet/more.sql.ts:1 named-arguments`,
    ])
  })
})

describe('every file', () => {
  it('is the only one with the form of a value: two places that write it down disagree some day', () => {
    const one = 'export const a = /^[a-z]{1,40}$/\n'
    const path = `${SERVER}/modules/wallet/form.rules.ts`
    expect(findings({ [`${SERVER}/lib/form.ts`]: one, [path]: one })).toEqual([`${path}:1 form-once`])
    const apart = 'export const a = [/^[a-z]{1,40}/, /[a-z]{1,40}$/]\n'
    expect(findings({ [`${SERVER}/lib/form.ts`]: one, [path]: apart })).toEqual([])
    const test = `${SERVER}/modules/wallet/rules.test.ts`
    expect(findings({ [`${SERVER}/lib/form.ts`]: one, [test]: one })).toEqual([])
  })

  it('is as long as a record of a decision says', () => {
    const path = 'docs/adr/0001-x.md'
    const code = { [`${SERVER}/lib/own.ts`]: 'export {}\n'.repeat(100) }
    const record = (text: string) => ({ ...code, [path]: `# 1\n\n${text}\n` })
    const link = `../../${SERVER}/lib/own.ts`
    expect(findings(record(`It has [90 lines](${link}), and once had 20 lines.`))).toEqual([])
    expect(findings(record(`It has [70 lines](${link}).`))).toEqual([`${path}:3 recorded-size`])
    expect(findings(record('It has [70 lines](../../nowhere).'))).toEqual([`${path}:3 recorded-size`])
    expect(findings(record('Our own (`own.ts`, about 100 lines) does it.'))).toEqual([
      `${path}:3 recorded-size`,
    ])
  })

  it('is at most 400 lines long in src', () => {
    expectBroken('file-length', `${SERVER}/lib/long.ts`, 'export {}\n'.repeat(401), 401)
    expect(findings({ [`${SERVER}/lib/long.ts`]: 'export {}\n'.repeat(400) })).toEqual([])
  })

  it.each([
    'export const x = process.env.HOME\n',
    "export const x = process['env']\n",
    "import { env } from 'node:process'\nexport const x = env\n",
  ])('reads the environment in config.ts only: %s', (text) => {
    expectBroken('environment', `${SERVER}/lib/a.ts`, text)
  })

  it('prints nothing by console in src', () => {
    expectBroken('console', `${SERVER}/lib/a.ts`, "\nconsole.log('x')\n", 2)
    expect(findings({ 'scripts/a.js': "console.log('x')\n" })).toEqual([])
  })

  it.each(['it.skip', 'it.only', 'test.todo', 'describe.concurrent.skip'])(
    'runs its tests: no %s',
    (call) => {
      expectBroken('idle-test', 'packages/acceptance/src/payment/400.test.ts', `\n${call}('x')\n`, 2)
    },
  )

  it('waits patiently in its tests: for half a minute at least', () => {
    const path = `${SERVER}/lib/a.test.ts`
    expectBroken('hurried-test', path, '\nconst giveUpAt = Date.now() + 20_000\n', 2)
    expectBroken('hurried-test', path, 'const deadlineMs = performance.now() + 5_000\n')
    expect(findings({ [path]: 'const giveUpAt = Date.now() + 30_000\n' })).toEqual([])
    expect(findings({ [`${SERVER}/lib/a.ts`]: 'export const deadline = Date.now() + 5\n' })).toEqual([])
  })

  it('says whose statement waits for a lock when the service runs', () => {
    const path = 'packages/acceptance/src/balance/503.test.ts'
    const sql = "select from pg_stat_activity where wait_event_type = 'Lock'"
    expectBroken('any-waiter', path, `const someone = \`${sql}\`\n`)
    expect(findings({ [path]: `const one = \`${sql} and query like '%take_payments%'\`\n` })).toEqual([])
  })

  it.each(['TO', 'FIX', 'XX'])('leaves no marker behind: %s…', (start) => {
    const marker = { TO: 'DO', FIX: 'ME', XX: 'X' }[start]
    expectBroken('marker', 'docs/a.md', `\n- ${start}${marker}: later\n`, 2)
    expectBroken('marker', `${SERVER}/lib/a.ts`, `export {} // ${start}${marker}\n`)
  })

  it.each(['work', 'home', 'Users'])('names no path of one machine: /%s/…', (folder) => {
    expectBroken('local-path', 'docs/a.md', `see ${['', folder, 'someone'].join('/')}\n`)
    expect(findings({ 'docs/a.md': `see https://example.com/${folder}/page and lib/${folder}/x\n` })).toEqual(
      [],
    )
  })

  it('says so when it is generated', () => {
    expectBroken('generated', 'docs/openapi.json', '{ "openapi": "3.1.0" }\n')
    expectBroken('generated', 'vectors/dates.json', '[]\n')
    const readme = {
      'vectors/dates.json': '[]\n',
      'vectors/README.md': '`dates.json` is generated by `npm run vectors`\n',
    }
    expect(findings(readme)).toEqual([])
  })

  it('counts, where it is Markdown, among the words that all pages may have, unless it is a record', () => {
    const words = 'word \n'.repeat(MARKDOWN_WORDS_MAX)
    expect(findings({ 'docs/adr/0001-a.md': `${words}more\n` })).toEqual([])
    const { violations } = checkStructure(plant({ 'docs/a.md': words, 'docs/b.md': 'two more\n' }), [])
    expect(violations.map(({ path, rule }) => [path, rule])).toEqual([['docs/a.md', 'markdown-words']])
    expect(violations[0]?.message).toContain('docs/a.md 75000')
  })
})

describe('dependencies', () => {
  it.each(['^8.23.1', '~8.23.1', '8', '*', 'latest', 'npm:other@1'])(
    'are pinned exactly, not "%s"',
    (version) => {
      expectBroken(
        'pinned',
        'packages/server/package.json',
        `{ "devDependencies": {\n"pg": "${version}" } }\n`,
        2,
      )
      expectBroken('pinned', 'package.json', `{ "overrides": { "a": {\n"pg": "${version}" } } }\n`, 2)
    },
  )

  it('are locked without the address of a registry', () => {
    const entry = '"resolved": "https://registry.example/pg-8.23.1.tgz"'
    expectBroken(
      'lock-file',
      'package-lock.json',
      `{ "packages": { "node_modules/pg": {\n${entry} } } }\n`,
      2,
    )
    expect(
      findings({ 'package-lock.json': '{ "a": { "resolved": "packages/server", "link": true } }\n' }),
    ).toEqual([])
  })

  it('carries the binaries of every common platform', () => {
    const packages = { 'node_modules/a': { optionalDependencies: { 'a-linux-x64-gnu': '1.0.0' } } }
    expectBroken('lock-platforms', 'package-lock.json', `${JSON.stringify({ packages })}\n`)
    const whole = { ...packages, 'node_modules/a-linux-x64-gnu': {} }
    expect(findings({ 'package-lock.json': `${JSON.stringify({ packages: whole })}\n` })).toEqual([])
  })
})

describe('the dashboard', () => {
  const WEB = 'packages/web/src'

  it.each([
    ['portal/a.ts', '../console/b.ts'],
    ['ui/a.ts', '../shell/b.ts'],
    ['text/a.ts', '../api/b.ts'],
  ])('%s imports nothing above or beside its layer', (path, specifier) => {
    expectBroken('web-layers', `${WEB}/${path}`, `import { b } from '${specifier}'\nexport const a = b\n`)
  })

  it('has its texts in messages, where every language has them', () => {
    expectBroken('translated-text', `${WEB}/ui/a.tsx`, 'export const A = () => <p>Some words</p>\n')
  })

  it('makes no markup from text', () => {
    for (const path of [`${WEB}/ui/a.tsx`, 'packages/docs/src/client/a.ts']) {
      expectBroken('markup', path, 'export const a = (e: Element) => { e.innerHTML = "x" }\n')
    }
  })
})

describe('the checkout', () => {
  const CHECKOUT = 'packages/checkout/src'

  it.each([
    ['rules/a.ts', '../state/b.ts'],
    ['views/a.ts', '../element/b.ts'],
    ['text/a.ts', '../views/b.ts'],
  ])('%s imports nothing above its layer', (path, specifier) => {
    expectBroken(
      'web-layers',
      `${CHECKOUT}/${path}`,
      `import { b } from '${specifier}'\nexport const a = b\n`,
    )
  })

  it('has no dependency but forms and Preact, and forms have none', () => {
    const FORMS = 'packages/forms/src'
    const importing = (specifier: string) => `import { b } from '${specifier}'\nexport const a = b\n`
    const describing = importing('react').replace('import', 'import type')
    expectBroken('no-dependency', `${CHECKOUT}/state/a.ts`, importing('lodash'))
    expectBroken('no-dependency', `${CHECKOUT}/views/a.tsx`, importing('react'))
    expectBroken('no-dependency', `${FORMS}/a.ts`, importing('@warung/checkout/b'))
    expectBroken('no-dependency', `${FORMS}/a.tsx`, importing('preact'))
    for (const specifier of ['@warung/forms/form', 'preact']) {
      expect(findings({ [`${CHECKOUT}/element/a.tsx`]: importing(specifier) })).toEqual([])
    }
    for (const folder of [`${CHECKOUT}/views`, FORMS]) {
      expect(findings({ [`${folder}/a.tsx`]: describing })).toEqual([])
    }
  })

  it('has its texts in messages, where every language has them', () => {
    for (const folder of [`${CHECKOUT}/views`, 'packages/forms/src']) {
      expectBroken('translated-text', `${folder}/a.tsx`, 'export const A = () => <p>Some words</p>\n')
      expectBroken('translated-text', `${folder}/a.tsx`, "export const a = { title: 'Some words' }\n")
      const parts = "export const A = () => <p className=\"btn wide\">{key === 'Enter' ? text.pay : ''}</p>\n"
      expect(findings({ [`${folder}/a.tsx`]: parts })).toEqual([])
    }
  })

  it('makes no markup from text', () => {
    for (const path of [`${CHECKOUT}/element/a.ts`, 'packages/forms/src/a.tsx']) {
      expectBroken('markup', path, 'export const a = (e: Element) => { e.innerHTML = "x" }\n')
    }
  })
})
