import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitStatements, withoutLeadingComments } from './statements.ts'

it.each([
  ['two', 'select 1; select 2', ['select 1', 'select 2']],
  ['nothing', ' ;\n-- a remark;\n; /* another; */', []],
  ['strings', `select 'a;b''c;', "d;e"; select e'it\\'s;'`, [`select 'a;b''c;', "d;e"`, `select e'it\\'s;'`]],
  ['bodies', 'create $$ a; b $$; do $x$ $$; $x$', ['create $$ a; b $$', 'do $x$ $$; $x$']],
  ['comments', '-- why;\nselect 1 -- here;\n;\nselect 2', ['-- why;\nselect 1 -- here;', 'select 2']],
  ['a name that ends with e', `select 'x' as e;select 1`, [`select 'x' as e`, 'select 1']],
])('a text is cut where its statements end: %s', (_, text, statements) => {
  expect(splitStatements(text)).toEqual(statements)
})

it('comments above a statement can be taken off', () => {
  expect(withoutLeadingComments('-- a\n/* b\n */ -- c\nselect 1 -- d')).toBe('select 1 -- d')
})

it('statements are found again, whatever their quotes hold', () => {
  const quoted = fc
    .string()
    .map((text) => `'${text.replaceAll("'", "''")}'`)
    .filter((text) => !text.includes('\\'))
  fc.assert(
    fc.property(fc.array(quoted, { minLength: 1 }), (values) => {
      const statements = values.map((value) => `select ${value}`)
      expect(splitStatements(statements.join(';'))).toEqual(statements)
    }),
  )
})
