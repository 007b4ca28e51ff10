import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { applyEdit, editedFiles, findBuild, statementsOf } from './broken.ts'
import { BUILDS } from './broken-builds.ts'

describe('broken builds', () => {
  it('are twelve at least, and have different names', () => {
    const names = BUILDS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThanOrEqual(12)
  })

  it('are caught by rules that the comparison has', async () => {
    const texts = await Promise.all(
      ['clients', 'events', 'guards', 'money', 'suppliers', 'webhooks'].map((name) =>
        readFile(new URL(`./books-${name}.ts`, import.meta.url), 'utf8'),
      ),
    )
    const rules = new Set(BUILDS.flatMap(({ caughtBy }) => caughtBy))
    expect([...rules].filter((rule) => !texts.some((text) => text.includes(`'${rule}'`)))).toEqual([])
    expect(BUILDS.filter(({ caughtBy }) => caughtBy.length === 0)).toEqual([])
  })

  it.each(BUILDS)('$name: each of its edits applies to the present code exactly once', async (build) => {
    const [files, statements] = [await editedFiles(build), await statementsOf(build)]
    expect(files.length + statements.length).toBeGreaterThan(0)
  })

  it('an edit that does not apply, or applies twice, is refused', () => {
    const edit = { file: 'x.js', find: 'a', replace: 'b' }
    expect(applyEdit('cat', edit)).toBe('cbt')
    expect(() => applyEdit('dog', edit)).toThrow('x.js has "a" 0 times, not once')
    expect(() => applyEdit('banana', edit)).toThrow('3 times')
  })

  it('a name that no build has is refused with the names that there are', () => {
    expect(() => findBuild('none')).toThrow('debit-after-send')
  })
})
