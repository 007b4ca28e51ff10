import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { changed, fullConfig, problemsOf } from '../../../testing/providers/http-configs.ts'
import { connectionMembers } from './config.rules.ts'

const GUIDE = new URL('../../../../../../docs/guides/connect-a-supplier.md', import.meta.url)
const EXAMPLE = new URL('../examples/kedai-connection.json', GUIDE)
const OFFERS = new URL('../examples/offers.json', GUIDE)

describe('the guide to configurations', () => {
  it('the guide has a configuration that is right', () => {
    expect(problemsOf(JSON.parse(readFileSync(EXAMPLE, 'utf8')))).toEqual([])
  })

  it('the guide’s table of parts has exactly the members of a configuration', () => {
    const [, table = ''] = /^## The parts$(.*?)^###/ms.exec(readFileSync(GUIDE, 'utf8')) ?? []
    const cells = [...table.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell)
    const named = cells.flatMap((cell) =>
      cell.includes('.')
        ? [/`(\w+)\./.exec(cell)?.[1] ?? '']
        : [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    )
    expect(named).toEqual(Object.keys(connectionMembers(true)))
  })

  it('the guide names every member', () => {
    const odd = (more: object = {}) => ({ ...more, odd: 1 })
    const types = (...names: string[]) => names.map((type) => odd({ type }))
    const hours = { opens: 'a', closes: 'b' }
    const parts: readonly (readonly [string, ...unknown[]])[] = [
      ['timeouts', odd()],
      ['limits', odd()],
      ['products', { A: odd({ code: 'a' }), B: odd({ by_amount: {} }) }],
      ['auth', ...types('none', 'basic', 'bearer', 'hmac', 'oauth2_client_credentials')],
      ['auth.timestamp', odd()],
      ['submit', odd()],
      ['submit.response', odd({ outcome: odd({ present: 'a' }), cost: odd(), list: odd() })],
      ['submit.response.outcome.table', { a: odd(), b: odd({ table: {} }) }],
      ['submit.response.output', odd({ pin: odd(), expiry: odd() })],
      ['query', odd(), odd({ repeats_submit: true })],
      ['fetch', odd({ response: odd() })],
      ['void', odd({ response: odd() })],
      ['bill', odd({ response: odd() })],
      ['options', odd({ response: odd({ option: odd() }) })],
      ['float', odd({ response: odd({ amount: odd(), currency: odd() }) })],
      ['health', odd()],
      [
        'catalogue',
        odd({ pages: odd(), response: odd({ offer: odd({ hours: odd(hours), requires: odd() }) }) }),
      ],
      ['catalogue.pages', ...types('number', 'offset', 'header', 'path', 'values')],
      ['catalogue.response.offer', { face: odd(), cost: odd({ less: odd() }) }],
      ['callback', odd({ ping: odd() })],
      ['callback.verification', ...types('hmac', 'secret_header', 'secret_query', 'digest_field')],
      ['callback.verification.timestamp', odd()],
      ['callback.verification.digest', odd({ digest: 'md5', of: [] })],
    ]
    const names = parts.flatMap(([path, ...values]) =>
      values.flatMap((value) => {
        const config = fullConfig()
        config.catalogue = { response: {} }
        config.auth = { type: 'hmac' }
        const digest = path.endsWith('.digest')
        config.callback = { verification: { type: digest ? 'digest_field' : 'hmac' } }
        const told = problemsOf(changed(config, path, value)).map(
          ({ message }) => /there are (.*)/.exec(message)?.[1],
        )
        expect(
          told.some((each) => each !== undefined),
          path,
        ).toBe(true)
        return told.flatMap((each) => each?.split(', ') ?? [])
      }),
    )
    const guide = [GUIDE, EXAMPLE, OFFERS].map((file) => readFileSync(file, 'utf8')).join('\n')
    expect([...new Set(names)].filter((name) => !new RegExp(`\\b${name}\\b`).test(guide))).toEqual([])
  })
})
