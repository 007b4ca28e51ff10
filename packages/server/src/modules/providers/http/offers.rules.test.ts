import { describe, expect, it } from 'vitest'
import { connectList, get, readAll } from '../../../testing/providers/lists.ts'
import { offerText } from '../../../testing/providers/pack-bench.ts'

// Lists as suppliers document them.

const never = new AbortController().signal

describe('the list of a supplier', () => {
  it('a list that counts pages has an offer for each amount of an element', async () => {
    const element = (changes: object) => ({
      operatorId: 685,
      name: 'Celcom Malaysia',
      status: 'ACTIVE',
      senderCurrencyCode: 'USD',
      destinationCurrencyCode: 'MYR',
      internationalDiscount: 12.5,
      country: { isoName: 'MY' },
      logoUrls: ['https://s3.example/1.png', 'https://s3.example/2.png'],
      fixedAmounts: [],
      localFixedAmounts: [],
      ...changes,
    })
    const { list, asked } = await connectList(
      get('/operators', {
        query: { page: '{{page}}', size: '{{page_size}}' },
        pages: { type: 'number', size: 2, total: 'totalElements' },
        response: {
          list: 'content',
          each: 'fixedAmounts',
          offer: {
            code: [{ text: '{{operatorId}}-{{$each}}' }, 'operatorId'],
            name: 'name',
            country: 'country.isoName',
            image: 'logoUrls.$any',
            open: { status: 'ACTIVE' },
            face: [
              { currency: { path: 'destinationCurrencyCode' }, amount: 'localFixedAmounts.$same' },
              { currency: { path: 'destinationCurrencyCode' }, min: 'localMinAmount', max: 'localMaxAmount' },
              { currency: { path: 'senderCurrencyCode' }, amount: '$each' },
            ],
            cost: {
              path: '$each',
              currency: { path: 'senderCurrencyCode' },
              less: { path: 'internationalDiscount', of: 100 },
            },
            values: { operator_id: 'operatorId', amount: '$each' },
          },
        },
      }),
      (url) => ({
        body: url.includes('page=1')
          ? {
              totalElements: 3,
              content: [
                element({ fixedAmounts: [2.5, 10], localFixedAmounts: [10, 40.5] }),
                element({ operatorId: 7, localMinAmount: 5, localMaxAmount: 100, status: 'INACTIVE' }),
              ],
            }
          : {
              totalElements: 3,
              content: [element({ operatorId: 9, fixedAmounts: [1], localFixedAmounts: [] })],
            },
      }),
    )
    const { offers, unread } = await readAll(list)
    expect(asked).toEqual(['/operators?page=1&size=2', '/operators?page=2&size=2'])
    expect(unread).toEqual([])
    expect(offers).toMatchObject([
      {
        code: '685-2.5',
        image: 'https://s3.example/1.png',
        country: 'MY',
        isOpen: true,
        face: { currency: 'MYR', min: '10.00', max: '10.00' },
        cost: '2.1875 USD',
        values: { operator_id: '685', amount: '2.5' },
      },
      { code: '685-10', face: { min: '40.50' }, cost: '8.75 USD', values: { amount: '10' } },
      { code: '7', isOpen: false, face: { min: '5.00', max: '100.00' }, cost: null },
      { code: '9-1', face: { currency: 'USD', min: '1.00' }, cost: '0.875 USD' },
    ])
  })

  it('a list that names the next page in a header is read to its end', async () => {
    const { list, asked } = await connectList(
      get('/products', {
        query: { page: '{{page}}', per_page: '100' },
        pages: { type: 'header', header: 'X-Next-Page', first: '1' },
        response: {
          list: '$',
          offer: {
            code: 'id',
            country: 'operator.country.iso_code',
            type: 'type',
            face: { currency: { path: 'destination.unit' }, amount: 'destination.amount' },
            cost: {
              path: 'prices.wholesale.amount',
              currency: { path: 'prices.wholesale.unit' },
              plus: 'prices.wholesale.fee',
            },
            requires: {
              path: ['required_credit_party_identifier_fields', 'required_sender_fields'],
              except: ['mobile_number'],
            },
          },
        },
      }),
      (url) => ({
        headers: url.includes('?page=1') ? { 'X-Next-Page': '2' } : { 'X-Next-Page': '' },
        body: [
          {
            id: url.includes('?page=1') ? 12345 : 12346,
            type: 'FIXED_VALUE_RECHARGE',
            operator: { country: { iso_code: 'MYS' } },
            destination: { unit_type: 'CURRENCY', unit: 'MYR', amount: 10 },
            prices: { wholesale: { unit_type: 'CURRENCY', unit: 'USD', amount: 2.31, fee: 0.02 } },
            required_credit_party_identifier_fields: [
              ['account_number', 'account_qualifier'],
              ['mobile_number'],
            ],
            required_sender_fields: [['lastname', 'firstname']],
          },
        ],
      }),
    )
    const { offers } = await readAll(list)
    expect(asked).toEqual(['/products?page=1&per_page=100', '/products?page=2&per_page=100'])
    expect(offers).toMatchObject([
      {
        code: '12345',
        country: 'MY',
        type: 'FIXED_VALUE_RECHARGE',
        cost: '2.33 USD',
        requires: ['lastname', 'firstname'],
      },
      { code: '12346' },
    ])
  })

  it('a list that is whole at one signed request has its state, its hours and its distance', async () => {
    const offer = (changes: object) => ({
      buyer_sku_code: 'xl10',
      product_name: 'XL 10',
      price: 10_500,
      buyer_product_status: true,
      seller_product_status: true,
      start_cut_off: '23:30',
      end_cut_off: '0:30',
      ...changes,
    })
    const { list, asked } = await connectList(
      {
        method: 'POST',
        path: '/price-list',
        body: { sign: { digest: 'md5', of: ['user', { secret: 'api_key' }, 'pricelist'] } },
        wait_ms: 300_000,
        response: {
          list: 'data',
          reason: 'data.message',
          offer: {
            code: 'buyer_sku_code',
            name: 'product_name',
            type: { text: 'pulsa' },
            country: { text: 'ID' },
            open: { buyer_product_status: true, seller_product_status: true },
            cost: 'price',
            hours: { opens: 'end_cut_off', closes: 'start_cut_off', zone: '+07:00' },
          },
        },
      },
      (_, body) =>
        body.includes('the-key')
          ? { status: 400, body: {} }
          : {
              body: {
                data: [
                  offer({}),
                  offer({
                    buyer_sku_code: 'b',
                    seller_product_status: false,
                    start_cut_off: '00:00',
                    end_cut_off: '00:00',
                  }),
                  offer({ buyer_sku_code: 'c', price: 'free' }),
                  offer({ buyer_sku_code: 'd', buyer_product_status: undefined }),
                  offer({ buyer_sku_code: 'e', end_cut_off: 'midnight' }),
                  offer({ buyer_sku_code: '' }),
                ],
              },
            },
      'IDR',
    )
    const page = await list.readPage(null, never)
    expect(asked).toHaveLength(1)
    expect(page).toMatchObject({ kind: 'page', next: null, waitMs: 300_000, unread: ['c', 'd', 'e', '5'] })
    expect(page.kind === 'page' && page.offers.map(offerText)).toMatchObject([
      {
        code: 'xl10',
        type: 'pulsa',
        country: 'ID',
        isOpen: true,
        cost: '10500.00 IDR',
        hours: { opens: '01:30', closes: '00:30' },
      },
      { code: 'b', isOpen: false, hours: null },
    ])
  })

  it('a list with lists within it gives each offer the members around it', async () => {
    const { list } = await connectList(
      get('/packages', {
        query: { page: '{{page}}', limit: '{{page_size}}' },
        pages: { type: 'number', size: 100 },
        response: {
          list: ['data', 'operators', 'packages'],
          offer: {
            code: 'id',
            name: { text: '{{$outer.title}} {{title}}' },
            country: '$outer.$outer.country_code',
            type: '$outer.$outer.$outer.meta.kind',
            validity: { text: '{{day}} days' },
            cost: 'net_price',
          },
        },
      }),
      (url) => ({
        body: url.includes('page=1')
          ? {
              meta: { kind: 'local' },
              data: [
                {
                  country_code: 'MY',
                  operators: [
                    {
                      title: 'Sambungkan',
                      packages: [{ id: 'sam-7', title: '1 GB', day: 7, net_price: 3.2 }],
                    },
                    { title: 'None', packages: null },
                    { title: 'Broken' },
                  ],
                },
                {
                  country_code: '',
                  operators: [{ title: 'World', packages: [{ id: 'w-1', title: '2 GB', day: 30 }] }],
                },
              ],
            }
          : { data: [] },
      }),
    )
    expect(await readAll(list)).toMatchObject({
      offers: [
        {
          code: 'sam-7',
          name: 'Sambungkan 1 GB',
          country: 'MY',
          type: 'local',
          validity: '7 days',
          cost: '3.20 USD',
        },
        { code: 'w-1', country: null, cost: null },
      ],
      unread: ['0.2'],
    })
  })

  it('a map beside the amounts has their costs, and offers of one amount have values of their own', async () => {
    const { list } = await connectList(
      get('/products', {
        response: {
          list: 'content',
          each: 'recipient',
          offer: {
            code: { text: '{{id}}-{{$each}}' },
            face: [
              { currency: { path: 'code' }, amount: '$each' },
              { currency: { path: 'code' }, min: 'min', max: 'max' },
            ],
            cost: { path: 'map.$same', plus: 'fee' },
            fixed_values: { send: 'map.$same' },
          },
        },
      }),
      () => ({
        body: '{"content":[{"id":1,"code":"MYR","recipient":[5.00,10],"map":{"5.0":1.1,"10":2.2},"fee":0.5}]}',
      }),
    )
    expect(await readAll(list)).toMatchObject({
      offers: [
        { code: '1-5', cost: '1.60 USD', values: { send: '1.1' } },
        { code: '1-10', cost: '2.70 USD', values: { send: '2.2' } },
      ],
      unread: [],
    })
  })

  it('a constant list of services is read service by service', async () => {
    const { list, asked } = await connectList(
      get('/service-variations', {
        query: { serviceID: '{{page}}' },
        pages: { type: 'values', values: ['mtn-data', 'glo-data'] },
        wait_ms: 50,
        response: {
          list: 'content.variations',
          offer: {
            code: { text: '{{$outer.content.serviceID}}/{{variation_code}}' },
            brand: '$outer.content.serviceID',
            face: { currency: 'NGN', amount: 'variation_amount' },
          },
        },
      }),
      (url) => ({
        body: {
          content: {
            serviceID: url.split('=')[1],
            variations: [{ variation_code: 'v1', variation_amount: '100.00' }],
          },
        },
      }),
      'NGN',
    )
    expect((await readAll(list)).offers).toMatchObject([
      { code: 'mtn-data/v1', brand: 'mtn-data', face: { currency: 'NGN', min: '100.00' } },
      { code: 'glo-data/v1' },
    ])
    expect(asked).toHaveLength(2)
  })
})
