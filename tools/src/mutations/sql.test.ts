import { describe, expect, test } from 'vitest'
import { functionChanges, sqlEdits } from './sql.ts'

function editsIn(text: string, isProcedural?: boolean) {
  return sqlEdits(text, isProcedural).map(
    ({ start, end, replacement }) => `${text.slice(start, end)} → ${replacement}`,
  )
}

describe('mutants of SQL', () => {
  test('each part of a condition is left out, and each comparison moves', () => {
    expect(editsIn('select x from t where a < b and c between 1 and 2 order by x')).toEqual([
      'a < b and  → ',
      '< → <=',
      'and c between 1 and 2 → ',
      '1 → 2',
      '2 → 3',
    ])
  })

  test('a condition of one part becomes true', () => {
    expect(editsIn('delete from t where a = $1')).toEqual(['a = $1 → true', '= → <>'])
  })

  test('a lock goes, as a whole', () => {
    expect(editsIn('select a from t for no key update of t skip locked')).toEqual([
      'for no key update of t skip locked → ',
      'skip locked → ',
    ])
  })

  test('null, not, distinct, desc and joins are turned round', () => {
    expect(
      editsIn('select distinct a from t left join u on true where not b is null order by c desc'),
    ).toEqual(['distinct  → ', 'left  → ', 'not b is null → true', 'not  → ', 'is → is not', 'desc → '])
  })

  test('an assignment stays, and the value that it gives changes', () => {
    expect(editsIn('update t set a = b + 1 where true')).toEqual(['+ → -', '1 → 2', 'true → false'])
  })

  test('statements and conditions of a procedure change', () => {
    expect(editsIn(' begin if a then perform f(); end if; b := c; end ', true)).toEqual([
      'a → true',
      'a → false',
      'perform f() → null',
      'b := c → null',
    ])
  })

  test('a comparing case keeps its values, and a deciding case does not', () => {
    expect(editsIn("select case a when 'b' then c end, case when d then e end")).toEqual([
      "'b' → ''",
      'd → true',
      'd → false',
    ])
  })

  test('changes of a function lie in its body', () => {
    const text = 'create function f(a int = 1) returns int language sql as $$ select a + 1 $$;\n-- a < 1'
    expect(functionChanges(text).map(({ start, end }) => text.slice(start, end))).toEqual(['+', '1'])
  })
})
