// Pre-request script of the collection: signs each request as it is sent. It runs in Postman and in newman.
const Crypto = require('crypto-js')

const resolve = (text) => pm.variables.replaceIn(String(text ?? ''))

const credentials = { key: resolve('{{api_key}}'), secret: resolve('{{signing_secret}}') }
if (credentials.key.includes('{{') || credentials.key === '') {
  throw new Error('Set api_key and signing_secret in the environment (npm start prints them).')
}

// Values stand plain in the collection. They are encoded here, so that the signed text is the text that is sent.
for (const parameter of pm.request.url.query.all()) {
  if (parameter.disabled) continue
  parameter.update({ key: parameter.key, value: encodeURIComponent(resolve(parameter.value)) })
}
const query = pm.request.url.query
  .all()
  .filter(({ disabled, value }) => !disabled && value !== '')
  .map(({ key, value }) => [key, value])
  .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  .map((pair) => pair.join('='))
  .join('&')

// Variables of the body are filled in here for the same reason.
const isRaw = pm.request.body?.mode === 'raw'
const body = isRaw ? resolve(pm.request.body.raw) : ''
if (isRaw) pm.request.body.update({ mode: 'raw', raw: body })

const timestamp = String(Math.floor(Date.now() / 1000))
const nonce = Crypto.lib.WordArray.random(18).toString(Crypto.enc.Hex)
const hash = Crypto.enc.Base64.stringify(Crypto.SHA256(body))
const canonical = ['v1', timestamp, nonce, pm.request.method.toUpperCase(), query, hash].join(':')
const key = Crypto.enc.Base64.parse(credentials.secret)
const signature = Crypto.enc.Base64.stringify(Crypto.HmacSHA256(canonical, key))

pm.request.headers.upsert({ key: 'X-Api-Key', value: credentials.key })
pm.request.headers.upsert({ key: 'X-Timestamp', value: timestamp })
pm.request.headers.upsert({ key: 'X-Nonce', value: nonce })
pm.request.headers.upsert({ key: 'X-Signature', value: `v1=${signature}` })
