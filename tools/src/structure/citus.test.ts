import { describe, expect, it } from 'vitest'
import { expectBroken, findings, SERVER } from './trees.fixture.ts'

const STATEMENTS = `${SERVER}/modules/wallet/more.sql.ts`
const FUNCTION = 'packages/server/functions/accounts/move.sql'

describe('a statement on a table of a group has a form that Citus takes', () => {
  it.each([
    'update wallets set at = clock_timestamp() where id = $1',
    'update wallets set id = nextval($1)',
    'delete from wallets where ends_at < clock_timestamp()',
    'update wallets set at = coalesce(at, now())',
    'update wallets set at = case when $1 then now() else at end',
    "update wallets set at = at + interval '1 day'",
    'with held as (select 1) update wallets w set at = w.at - make_interval(secs => $1) from held',
    'insert into wallets (id) values ($1) on conflict (id) do update set at = now()',
    'insert into wallets as w (id) values ($1) on conflict (id) do update set at = $2 where w.at < clock_timestamp()',
    'insert into wallets (id) values ($1) on conflict (id) do update set n = (select count(*) from unnest($2))',
    'update wallets set id = $1 returning at > now() as is_late',
    'insert into wallets (id, at) select id, $1 from wallets',
    'insert into wallets (id) values ((select max(id) from wallets))',
    'with made as (insert into wallets (id) select w.id from unnest($1) g join wallets w on w.id = g) select 1',
  ])('but not: %s', (statement) => {
    expectBroken('citus-form', STATEMENTS, `export const s = \`${statement}\`\n`)
  })

  it.each([
    'update wallets set at = statement_timestamp(), until = now() + $1 where at < now()',
    'update wallets set at = case when $1 then clock.now else at end from (select now() as now) clock',
    "update wallets set at = later(at, $1 * interval '1 second')",
    'update wallets set at = least(at, now())',
    "delete from wallets where id in (select id from wallets where at < clock_timestamp() - interval '1 day')",
    'insert into wallets (id, at) values ($1, clock_timestamp()) on conflict (id) do update set at = excluded.at',
    'with old as (select id from wallets) insert into wallets (id, at) select id, $1 from old',
    'insert into wallets (id) select * from unnest($1::bigint[])',
    'with made as (insert into wallets (id) values ($1) returning at) select at > now() from made',
    'select id from wallets where at < clock_timestamp() for update',
  ])('such as: %s', (statement) => {
    expect(findings({ [STATEMENTS]: `export const s = \`${statement}\`\n` })).toEqual([])
  })

  it('in functions as well, whose parameters and variables may be added to', () => {
    const text = (statement: string) =>
      `-- Moves.\ncreate or replace function move(p_by interval) returns void language plpgsql as $$ begin\n` +
      `  ${statement};\nend $$;\n`
    expectBroken('citus-form', FUNCTION, text('update users set at = clock_timestamp()'), 3)
    expect(findings({ [FUNCTION]: text("update users set at = v_now + interval '1 day'") })).toEqual([])
  })
})

it('a function that has parameters and touches a table is plpgsql: Citus plans no other one', () => {
  const text = (body: string, parameters: string) =>
    `-- Finds.\ncreate or replace function move(${parameters}) returns bigint language sql as $$ ${body} $$;\n`
  expectBroken('citus-form', FUNCTION, text('select id from users where id = p_id', 'p_id bigint'), 1)
  expect(findings({ [FUNCTION]: text('select p_id + 1', 'p_id bigint') })).toEqual([])
  expect(findings({ [FUNCTION]: text('select max(id) from users', '') })).toEqual([])
})

describe('a migration', () => {
  it('makes no table without a log, whose rows would stay behind when the group moves', () => {
    const path = 'packages/server/migrations/0002_second.sql'
    expectBroken('citus-form', path, '-- owner: wallet\ncreate unlogged table entries (id int);\n', 2)
  })
})
