import { assert, describe, expect, test } from 'vitest'
import { SWITCH, withSwitches } from './switch.ts'
import { typescriptChanges } from './typescript.ts'

/** Lists the changes of a source as texts: `original → mutant`. */
function changesIn(text: string) {
  return typescriptChanges(text).map(
    ({ start, end, replacement, isStatement }) =>
      `${text.slice(start, end)} → ${isStatement ? '(removed)' : replacement}`,
  )
}

describe('mutants of TypeScript', () => {
  test('a condition becomes true and false, and its boundary moves', () => {
    expect(changesIn('if (a < b) c = d')).toEqual([
      'a < b → a <= b',
      'a < b → true',
      'a < b → false',
      'c = d → (removed)',
    ])
  })

  test('a comparison outside a condition is negated', () => {
    expect(changesIn('const a = b === c')).toEqual(['b === c → b !== c'])
  })

  test('each operand of a logical expression is left out once', () => {
    expect(changesIn('const x = a && b && c')).toEqual(['a && b && c → a && b', 'a && b → a', 'a && b → b'])
  })

  test('arithmetic, literals, calls and results change', () => {
    expect(changesIn('const f = (x: 1) => { g(x * 2n); return x }')).toEqual([
      'g(x * 2n); → (removed)',
      'x * 2n → x / 2n',
      '2n → 3n',
      'x → undefined',
    ])
  })

  test('types, imports, keys and texts for people stay', () => {
    expect(changesIn("import a from 'b'; type C = 'd'; const e: 'f' = { 'g': h('Two words.') }")).toEqual([])
  })

  test('a chain may lose its protection, as a whole', () => {
    expect(changesIn('const x = a?.b.c?.[d]')).toEqual([
      'a?.b.c?.[d] → a?.b.c[d]',
      'a?.b.c?.[d] → a.b.c?.[d]',
    ])
  })

  test('a method is swapped or left out, and an anchor of a pattern goes', () => {
    expect(changesIn('const x = a.some(b), y = c.filter(d), z = /^e$/')).toEqual([
      'a.some(b) → a.every(b)',
      'c.filter(d) → c',
      '/^e$/ → /e$/',
      '/^e$/ → /^e/',
    ])
  })

  test('a method that every object has is left alone', () => {
    expect(changesIn('const x = a.toString(), y = b.hasOwnProperty(c)')).toEqual([])
  })

  test('a statement of SQL changes inside, around the values that it is given', () => {
    const hole = ['$', '{a}'].join('')
    const statement = `select ${hole} from t where b = $1 and c is null`
    const changes = changesIn(`const x = \`${statement}\``)
    expect(changes.map((change) => change.replace(`\`${statement}\` → `, ''))).toEqual([
      `\`select ${hole} from t where c is null\``,
      `\`select ${hole} from t where b <> $1 and c is null\``,
      `\`select ${hole} from t where b = $1 \``,
      `\`select ${hole} from t where b = $1 and c is not null\``,
    ])
  })

  test('places behind characters of several bytes are exact', () => {
    expect(changesIn("const a = 'Ω … 😀 x'; const b = 1")).toEqual(['1 → 2'])
  })
})

describe('switches', () => {
  const SOURCE = `
    const price = (units, isNew) => {
      let total = 0
      for (let unit = 0; unit < units; unit += 1) total += 5
      if (isNew && total > 10) return total - 3
      return total
    }
    return price`
  const mutants = typescriptChanges(SOURCE.replace('return price', '')).map((change, index) => ({
    ...change,
    id: index + 1,
  }))

  /** Builds the function with all mutants; the given one is active. */
  function build(active: number): (units: number, isNew: boolean) => number {
    let hits = 0
    globalThis[SWITCH] = (id) => {
      if (++hits > 10_000) throw new Error('the mutant does not end')
      return id === active
    }
    return new Function(withSwitches(SOURCE, mutants))()
  }

  function isNoticed(active: number) {
    try {
      const price = build(active)
      const found = [price(0, false), price(2, true), price(3, true), price(3, false)]
      return JSON.stringify(found) !== '[0,10,12,15]'
    } catch {
      return true
    }
  }

  test('a source with inactive mutants does what the source does', () => {
    expect(isNoticed(0)).toBe(false)
  })

  test('an else stays with its if', () => {
    const source = 'let x = 0; if (isNew) x = 1; else x = 2; return x'.replaceAll(';', '\n')
    const [assignment] = typescriptChanges(source.replace('return x', '')).filter(
      ({ isStatement }) => isStatement,
    )
    assert(assignment !== undefined)
    globalThis[SWITCH] = () => false
    const run = new Function('isNew', withSwitches(source, [{ ...assignment, id: 1 }]))
    expect([run(true), run(false)]).toEqual([1, 2])
  })

  test('known mutants are noticed, and one that no case reaches survives', () => {
    expect(mutants.length).toBeGreaterThan(15)
    const surviving = mutants.filter(({ id }) => !isNoticed(id))
    // 10 and 11 are the same to totals that are multiples of 5.
    expect(surviving.map(({ replacement }) => replacement)).toEqual(['11'])
  })
})
