import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { columnNames } from './columns.rules.ts'
import { ALL_COLUMNS, collectProblems, readFiles } from './read.rules.ts'
import { DOCUMENT_KINDS } from './types.ts'

const DOCS = new URL('../../../../../../docs/', import.meta.url)
const product = readFileSync(new URL('examples/product.json', DOCS), 'utf8')
const page = readFileSync(new URL('catalog-files.md', DOCS), 'utf8')

function exampleOf(language: string): string {
  const [, example = ''] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page) ?? []
  return example
}

describe('the page about catalogue files', () => {
  it.each(DOCUMENT_KINDS)('names every column of %s', (kind) => {
    for (const name of columnNames<object>(ALL_COLUMNS[kind]))
      expect(page + product).toMatch(new RegExp(`["\`]${name}["\`]`))
  })

  it('shows a product with every member, and a biller, that are read without complaint', () => {
    const problems = collectProblems()
    const rows = readFiles(
      [
        { name: 'products.json', bytes: Buffer.from(`{"products": [${product}]}`) },
        { name: 'options.csv', bytes: Buffer.from(exampleOf('csv')) },
      ],
      problems,
    )
    expect(problems.list()).toEqual([])
    expect(rows.options).toHaveLength(1)
    expect(Object.keys(JSON.parse(product))).toEqual(columnNames(ALL_COLUMNS.products))
  })
})
