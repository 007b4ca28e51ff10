import { describe, expect, it } from 'vitest'
import type { Json } from '../../../testing/providers/http-configs.ts'
import { changed, leastConfig, problemsOf } from '../../../testing/providers/http-configs.ts'

function withCatalogue(): Json {
  const catalogue = {
    method: 'GET',
    path: '/offers',
    query: { page: '{{page}}' },
    pages: { type: 'number', size: 100 },
    response: {
      list: ['data', 'packages'],
      each: 'amounts',
      offer: {
        code: [{ text: '{{id}}-{{$each}}' }, 'id'],
        country: '$outer.country',
        face: { currency: { path: '$outer.$outer.currency' }, amount: '$each', divisor: 'parts' },
        cost: [{ path: 'costs.$same', less: { path: 'discount', of: 100 } }, 'cost'],
        open: { enabled: true, state: ['on', 1, null] },
        hours: { opens: 'from', closes: 'to', zone: '+07:00' },
        requires: { path: 'fields.$any.name', except: ['msisdn'] },
        values: { send: '$each' },
      },
    },
  }
  return { ...leastConfig(), catalogue }
}

describe('the list of offers in a configuration', () => {
  it('is read when it is right', () => {
    expect(problemsOf(withCatalogue())).toEqual([])
  })

  const at = 'catalogue.response'
  it.each<[string, unknown, string, string?]>([
    ['catalogue.pages', undefined, 'no "pages"', 'catalogue'],
    ['catalogue.query', {}, 'must send {{page}}', 'catalogue'],
    ['catalogue.pages.size', 0, 'from 1'],
    ['catalogue.pages', { type: 'cursor' }, 'must be one of', 'catalogue.pages.type'],
    ['catalogue.pages', { type: 'values', values: [] }, 'list of 1', 'catalogue.pages.values'],
    ['catalogue.wait_ms', 4_000_000, 'to 3600000'],
    [
      'catalogue.query',
      { page: '{{page}}', account: '{{account}}' },
      'no placeholder',
      'catalogue.query.account',
    ],
    ['catalogue.headers', { Key: { secret: 'other' } }, 'no secret "other"', 'catalogue.headers.Key'],
    [`${at}.list`, ['a', 'b', 'c', 'd'], 'up to 3'],
    [`${at}.list`, 'data.$any', 'takes no $any'],
    [`${at}.each`, undefined, 'needs "each"', `${at}.offer.code.0.text`],
    [`${at}.each`, '$each.amounts', 'needs "each"'],
    [`${at}.offer.code`, undefined, 'is missing'],
    [`${at}.offer.code`, { text: '{{id|colour}}' }, 'there is no filter', `${at}.offer.code.text`],
    [`${at}.offer.colour`, 'red', 'is not known here'],
    [`${at}.offer.country`, '$outer.$outer.$outer.country', 'more $outer'],
    [`${at}.offer.country`, '$outer', 'must name a member'],
    [`${at}.offer.country`, 'country.$outer', 'means nothing'],
    [`${at}.offer.country`, 'countries.0', 'by its position'],
    [`${at}.offer.name`, '$same.name', 'takes one $same'],
    [`${at}.offer.face`, { currency: 'MYR' }, 'either amount, or min and max'],
    [`${at}.offer.face`, { currency: 'MYR', amount: 'a', min: 'b' }, 'either amount'],
    [`${at}.offer.face.currency`, 'ringgit', 'ISO 4217'],
    [
      `${at}.offer.cost`,
      { path: 'cost', less: { path: 'x', of: 10 } },
      'must be 1 or 100',
      `${at}.offer.cost.less.of`,
    ],
    [`${at}.offer.hours.zone`, '+7', 'zone such as'],
    [`${at}.offer.open`, { enabled: {} }, 'must be a text', `${at}.offer.open.enabled`],
    [`${at}.offer.requires`, { path: 'x', except: [1] }, 'must be a text', `${at}.offer.requires.except.0`],
    [`${at}.offer.values`, { 'Send Value': 'x' }, 'lower-case', `${at}.offer.values.Send Value`],
  ])('has a mistake at %s when it is %j', (path, value, message, place = path) => {
    const found = problemsOf(changed(withCatalogue(), path, value))
    expect(found).toContainEqual(
      expect.objectContaining({ path: place, message: expect.stringContaining(message) }),
    )
  })
})
