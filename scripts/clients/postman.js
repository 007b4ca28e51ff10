import { createHash } from 'node:crypto'

const GENERATED = 'Generated from docs/openapi.json by scripts/clients-api.js. Do not edit.'
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const RELEASE = '2026-09-16'

/** Statuses that mean the request itself is wrong, or that the service is in trouble. */
const NEVER_EXPECTED = new Set(['401', '403', '413', '415', '429', '500', '503', '504', 'default'])

/** Values of parameters that are better than the recorded ones: they work with the demo's data. */
const PARAMETERS = {
  date: '{{today}}',
  jobId: '{{job_id}}',
  number: '{{case_number}}',
  product: 'VOLT',
  product_code: 'NOVA',
  field_id: 'amount',
  url: '{{receiver_url}}',
  account: '{{account}}',
  advance_seconds: '60',
}

/** Bodies that are better than the recorded ones. */
const BODIES = {
  pay: { refid: '{{refid}}', product: 'NOVA', account: '{{account}}', amount: 10 },
  disputeTransaction: { refid: '{{refid}}' },
  voidTransaction: { refid: '{{refid}}', refund_type: 1 },
  putBalanceWebhook: { url: '{{receiver_url}}' },
  putCatalogWebhook: { url: '{{receiver_url}}' },
  createToken: { username: '{{username}}', password: '{{password}}' },
  refreshToken: { refresh_token: '{{refresh_token}}' },
}
const JOBS = { job_ids: ['{{job_id}}'] }

/** Renders the collection: a journey that is run from top to bottom, and a folder of each area. */
export function renderCollection(operations, signingScript) {
  const byName = new Map(operations.map((each) => [each.name, each]))
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  return stringify({
    info: {
      _postman_id: idOf('collection'),
      name: 'Warung',
      description: `${GENERATED}\n\nEvery request is signed by the collection's pre-request script. Choose the environment, put in api_key and signing_secret, and run the folder "Journey".`,
      schema: SCHEMA,
    },
    event: [script('prerequest', signingScript), script('test', HELP)],
    variable: VARIABLES.map(([key, value]) => ({ key, value })),
    item: [
      { name: 'Journey', description: 'From the balance to a paid reload.', item: journey(byName) },
      ...tags.map((tag) => ({
        name: tag,
        item: operations.filter((each) => each.tag === tag).map(renderItem),
      })),
    ],
  })
}

export function renderEnvironment() {
  const values = [
    ['base_url', 'http://127.0.0.1:3000', 'default'],
    ['api_key', '', 'secret'],
    ['signing_secret', '', 'secret'],
    ['username', '', 'default'],
    ['password', '', 'secret'],
  ]
  return stringify({
    id: idOf('environment'),
    name: 'Warung staging',
    values: values.map(([key, value, type]) => ({ key, value, type, enabled: true })),
    _postman_variable_scope: 'environment',
    'x-generated': GENERATED,
  })
}

const VARIABLES = [
  ['base_url', 'http://127.0.0.1:3000'],
  ['account', '60123456789'],
  ['receiver_url', 'https://receiver.example.com/warung'],
  ['job_id', '00000000-0000-4000-8000-000000000000'],
  ['case_number', '0'],
  ['refid', 'postman-example'],
  ['today', '2026-01-01 - 2026-01-31'],
  ['refresh_token', ''],
]

/** Script that shows the service's own hint when a signature does not fit. */
const HELP = `if (pm.response.code === 401) {
  console.log(pm.response.json().message, pm.response.json().debug ?? '')
}
`

// ── Journey ──

function journey(byName) {
  const step = (operation, name, ...events) => ({
    ...renderItem(byName.get(operation)),
    name,
    event: events,
  })
  return [
    step('getBalance', '1 Balance', script('prerequest', NEW_REFID), script('test', ENOUGH)),
    step('getCatalog', '2 Catalogue', script('test', SELLS)),
    step('getOptions', '3 Options', script('test', OPTIONS)),
    step('pay', '4 Pay', script('test', PAID)),
    step('pay', '5 Status', script('prerequest', PAUSE), script('test', FINAL)),
    { ...step('listTransactions', '6 History', script('test', LISTED)) },
  ]
}

const NEW_REFID = `// One journey, one refid: the status is asked for with the same one.
pm.collectionVariables.set('refid', 'postman-' + Date.now() + '-' + Math.floor(Math.random() * 1e6))
pm.collectionVariables.set('polls', 0)
// Days are those of GMT+8.
pm.collectionVariables.set('today', new Date(Date.now() + 8 * 3600 * 1000).toISOString().slice(0, 10))
`
const ENOUGH = `pm.test('the balance is there', () => {
  pm.response.to.have.status(200)
  pm.expect(pm.response.json().data.balance).to.be.a('number')
})
`
const SELLS = `pm.test('the catalogue sells NOVA', () => {
  pm.response.to.have.status(200)
  pm.expect(pm.response.json().products).to.have.property('NOVA')
})
`
const OPTIONS = `pm.test('10 is a denomination of NOVA', () => {
  pm.response.to.have.status(200)
  pm.expect(pm.response.json().items.map(({ denomination }) => denomination)).to.include(10)
})
`
const PAID = `pm.test('the payment is taken', () => {
  pm.response.to.have.status(200)
  pm.expect(pm.response.json().data.transaction_id).to.be.a('string')
  pm.collectionVariables.set('transaction_id', pm.response.json().data.transaction_id)
})
`
const PAUSE = `// The contract advises 5 to 10 seconds between two looks; the first one is at once.
const polls = Number(pm.collectionVariables.get('polls'))
pm.collectionVariables.set('polls', polls + 1)
if (polls > 0) setTimeout(() => {}, 5000)
`
const FINAL = `const payment = pm.response.json().data
const isOpen = payment.status === 'Accepted' || payment.status === 'Processing'
if (isOpen && Number(pm.collectionVariables.get('polls')) < 12) {
  pm.execution.setNextRequest(pm.info.requestName)
} else {
  pm.test('the same request again shows the same payment, and it succeeded', () => {
    pm.response.to.have.status(200)
    pm.expect(payment.transaction_id).to.equal(pm.collectionVariables.get('transaction_id'))
    pm.expect(payment.status).to.equal('Succesful')
  })
}
`
const LISTED = `pm.test('the payment is in the history once', () => {
  pm.response.to.have.status(200)
  const mine = pm.response.json().data.filter(({ refid }) => refid === pm.collectionVariables.get('refid'))
  pm.expect(mine).to.have.lengthOf(1)
})
`

// ── Requests ──

function renderItem(operation) {
  const { name, summary, description } = operation
  const body = bodyOf(operation)
  return {
    name,
    request: {
      method: operation.method,
      description: [summary, description].filter((text) => text !== '').join('\n\n'),
      header: [
        { key: 'X-API-Version', value: RELEASE },
        ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
      ],
      url: urlOf(operation),
      ...(body !== undefined && {
        body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
      }),
    },
    response: [],
    event: [script('test', statusTest(operation))],
  }
}

/** Returns a test that accepts the statuses that a sound request can have, such as 404 of an unknown delivery. */
function statusTest({ name, responses, isOpen }) {
  const own = isOpen ? ['401', '429'] : []
  const expected = Object.keys(responses).filter((each) => !NEVER_EXPECTED.has(each) || own.includes(each))
  return `pm.test('${name} answers as documented', () => {
  pm.expect(pm.response.code).to.be.oneOf([${expected.join(', ')}])
  pm.expect(pm.response.headers.get('X-Request-Id')).to.be.a('string')
})
`
}

function urlOf({ path, parameters }) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => PARAMETERS[name] ?? name)
  const query = parameters
    .filter((each) => each.in === 'query')
    .map((each) => ({
      key: each.name,
      value: exampleOf(each),
      description: each.description ?? '',
      ...(each.required !== true && { disabled: true }),
    }))
  const enabled = query.filter(({ disabled }) => disabled !== true).map(({ key, value }) => `${key}=${value}`)
  return {
    raw: `{{base_url}}${filled}${enabled.length === 0 ? '' : `?${enabled.join('&')}`}`,
    host: ['{{base_url}}'],
    path: filled.slice(1).split('/'),
    ...(query.length > 0 && { query }),
  }
}

function exampleOf({ name, example, schema }) {
  const value = PARAMETERS[name] ?? example ?? schema?.default ?? schema?.enum?.[0] ?? schema?.minimum ?? ''
  return String(Array.isArray(value) ? value[0] : value)
}

function bodyOf({ name, body }) {
  if (body === undefined) return undefined
  if (BODIES[name] !== undefined) return BODIES[name]
  if (/^replay\w+Deliveries$/.test(name)) return JOBS
  return body.requestBody.content['application/json'].example ?? {}
}

function script(listen, text) {
  return { listen, script: { type: 'text/javascript', exec: text.trimEnd().split('\n') } }
}

/** Returns an id that stays the same, so that an import replaces the earlier one. */
function idOf(name) {
  const hex = createHash('sha256').update(`warung ${name}`).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

function stringify(value) {
  return `${JSON.stringify(value, null, 2)}\n`
}
