// Writes the golden files; with --check only compares. The cases of request signing are here, the cases of the cost
// rules in vectors/cost-rules.js, the cases of deliveries' signatures in vectors/webhooks.js, and the cases of our own
// clients' behaviour in vectors/sdk.
// The text that a client signs is written by hand in each case below. This file adds the arithmetic (hash, HMAC) and
// what the application may read. It shares no code with the server or with any client.
import { createHash, createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { costRules } from './vectors/cost-rules.js'
import { answers, retries } from './vectors/sdk/answers.js'
import { forms } from './vectors/sdk/forms.js'
import { queries, signingOf } from './vectors/sdk/signing.js'
import { inbox, verification } from './vectors/sdk/webhooks.js'
import { webhooks } from './vectors/webhooks.js'

const SECRET = '/Lw0p+TB03JaEtFzRRogY/pigRxLM1Yp9VZAKEpPayk='
const OTHER_SECRET = 'M1AUg/TYXv/YMVYX3lq7fQGIMf/l8plG/pruf+RXAtg='
const SECRET_64_BYTES =
  'FGHP4Q5T/niszusqed0hSjtIAG+g8Srbu8dAN1piEybYq9wAKAM0HKXdFckudwbRlNiy26uhJNh+vYxV45TiYQ=='
const SECRET_96_BYTES =
  'H0D8ktokFpR1CXnubPWC8tXX0o4YM13gWrxU0FYOD1MChgxlK/CNVgJSql50IQVG82n7u86MEs/HlXsmUv6adT4j6BYAOVlKM4lPZWThsTSLvXoAiNQsSstz7q7VnACd'
const TIMESTAMP = '1767225600'

// GET requests: name | query on the wire | query the client signs | reading, or "refused" | why.
// A reading is wire, decoded, form or percent, then "kept" when empty values are signed, "sorted" when repeats are, and
// "marks=" with the marks that the client's encoder leaves, where they are not those of HTML forms or of RFC 3986.
const QUERIES = `
no-query | | | wire | the query is empty when there is none; its colons stay
one-parameter | product=NOVA | product=NOVA | wire | the plainest query
sort-by-key | product=NOVA&amount=10&account=60123456789 | account=60123456789&amount=10&product=NOVA | wire | parameters are sorted by key, whatever order they are sent in
sort-key-prefixes | ab=4&a-b=3&a=2&A=1 | A=1&a=2&a-b=3&ab=4 | wire | keys are compared, not whole pairs: a comes before a-b although - comes before =
sort-upper-before-lower | b=4&B=2&a=3&A=1 | A=1&B=2&a=3&b=4 | wire | order is that of the characters' codes, not of a dictionary
sort-digits-as-text | a_b=5&a2=4&a10=3&a1=2&a=1 | a=1&a1=2&a10=3&a2=4&a_b=5 | wire | digits sort as text: a10 before a2
sort-escaped-key-wire | A=1&%61=2 | %61=2&A=1 | wire | the wire reading sorts keys as they are written on the wire
sort-escaped-key-decoded | %61=2&A=1 | A=1&a=2 | decoded | the decoded reading sorts decoded keys
repeated-key-sent-order | status=SUCCESSFUL&status=PENDING | status=SUCCESSFUL&status=PENDING | wire | a stable sort leaves repeated keys in sent order
repeated-key-by-value | status=SUCCESSFUL&status=PENDING | status=PENDING&status=SUCCESSFUL | wire sorted | sorting repeated keys by value is accepted, and is then the order that is read
repeated-key-between-others | status=SUCCESSFUL&limit=10&status=PENDING&date=2026-01-01 | date=2026-01-01&limit=10&status=SUCCESSFUL&status=PENDING | wire | repeated keys come together without changing places
repeated-key-values-as-text | id=10&id=9&id=1 | id=1&id=10&id=9 | wire sorted | values sort as text, not as numbers
repeated-pair | status=FAILED&status=FAILED | status=FAILED&status=FAILED | wire | an identical pair is not merged
repeated-key-decoded-by-value | q=b%20c&q=a%20z | q=a z&q=b c | decoded sorted | readings combine: decoded, and sorted by value
empty-value-dropped | product=&limit=10&date=2026-01-01 | date=2026-01-01&limit=10 | wire | as the reference implementations do; an unsigned empty value is not read
empty-value-kept | product=&limit=10&date=2026-01-01 | date=2026-01-01&limit=10&product= | wire kept | signing empty values is accepted too, and then they are read
only-empty-values-dropped | product=&type= | | wire | nothing is left to sign, and nothing to read
only-empty-values-kept | type=&product= | product=&type= | wire kept | kept empty values are sorted like all others
repeated-key-empty-dropped | status=PENDING&status=&status=FAILED | status=PENDING&status=FAILED | wire | only the empty one of the repeated keys goes
repeated-key-empty-kept-by-value | status=PENDING&status=&status=FAILED | status=&status=FAILED&status=PENDING | wire kept sorted | the empty value sorts first
no-equals-sign | debug&product=NOVA | product=NOVA | wire | a parameter without = is neither signed nor read
only-no-equals-sign | debug | | wire | nothing is left to sign
no-equals-sign-empties-kept | product=&debug&limit=1 | limit=1&product= | wire kept | keeping empty values does not bring back parameters without =
escaped-equals-sign-is-none | product=NOVA&debug%3D1 | product=NOVA | wire | the = is looked for on the wire, before any decoding
empty-name | product=NOVA&=x | =x&product=NOVA | wire | the empty name sorts first
empty-name-and-value | =&product=NOVA | product=NOVA | wire | a lone = is an empty value
equals-sign-in-value | filter=a=b=c | filter=a=b=c | wire | the first = separates, the others belong to the value
equals-sign-in-value-form | filter=a=b=c | filter=a%3Db%3Dc | form | the form reading encodes them
question-mark-in-value | search=what?now | search=what?now | wire | only the first ? of the address begins the query
semicolon-in-value | a=1;b=2 | a=1;b=2 | wire | a semicolon separates nothing
colon-in-query | search=evt:2026:01 | search=evt:2026:01 | wire | a colon in the query is not escaped, although colons join the parts
colon-in-query-form | search=evt:2026:01 | search=evt%3A2026%3A01 | form | the form reading encodes it
trailing-ampersand | product=NOVA& | product=NOVA | wire | nothing after & is a parameter without =
doubled-ampersand | product=NOVA&&account=1 | account=1&product=NOVA | wire | nothing between && is a parameter without =
leading-ampersand | &product=NOVA | product=NOVA | wire | nothing before & is a parameter without =
space-percent-as-sent | search=nasi%20lemak | search=nasi%20lemak | wire | as sent
space-percent-decoded | search=nasi%20lemak | search=nasi lemak | decoded | the client signs before it encodes
space-percent-form | search=nasi%20lemak | search=nasi+lemak | form | the client signs what its form encoder gives, its HTTP library sends %20
space-plus-as-sent | search=nasi+lemak | search=nasi+lemak | wire | as sent; a plus on the wire is read as a space
space-plus-decoded | search=nasi+lemak | search=nasi lemak | decoded | decoding turns + into a space
space-plus-percent | search=nasi+lemak | search=nasi%20lemak | percent | the client signs %20, its HTTP library sends a plus
date-range-plus-percent | limit=100&date=2026-01-01+-+2026-01-31 | date=2026-01-01%20-%202026-01-31&limit=100 | percent | the same range, signed by RFC 3986 and sent in form encoding
date-range-plus-percent-kept-sorted | q=b+c&q=a+z&type= | q=a%20z&q=b%20c&type= | percent kept sorted | the readings combine as all others do
plus-sign-percent | sum=1+%2B+1 | sum=1%20%2B%201 | percent | a space and a plus stay apart
space-in-name-percent | first+name=Ali | first%20name=Ali | percent | names are encoded like values
marks-as-sent | search=it's%20(a)%20*b*~c! | search=it's%20(a)%20*b*~c! | wire | encodeURIComponent leaves all of these marks
marks-escaped-as-sent | search=it%27s%20%28a%29%20%2Ab%2A%7Ec%21 | search=it%27s%20%28a%29%20%2Ab%2A%7Ec%21 | wire | escaped or not, they are read alike
marks-component-sent-as-form | search=it%27s+%28a%29+*b*%7Ec%21 | search=it's%20(a)%20*b*~c! | percent marks=!'()*~ | signed with encodeURIComponent, sent by URLSearchParams
marks-form-sent-as-component | search=it's%20(a)%20*b*~c! | search=it%27s+%28a%29+*b*%7Ec%21 | form | and the other way round
marks-rfc3986-sent-as-form | search=it%27s+%28a%29+*b*%7Ec%21 | search=it%27s%20%28a%29%20%2Ab%2A~c%21 | percent | signed by RFC 3986, such as PHP's rawurlencode
marks-rfc3986-sent-as-component | search=it's%20(a)%20*b*~c! | search=it%27s%20%28a%29%20%2Ab%2A~c%21 | percent | signed by RFC 3986, sent by encodeURIComponent
star-escaped-sent-bare | search=* | search=%2A | percent | %2A signed, * sent
star-bare-sent-escaped | search=%2A | search=* | decoded | * signed, %2A sent
star-bare-sent-escaped-form | search=a%2B%2A | search=a%2B* | form | * signed, %2A sent, where the decoded reading does not count
tilde-bare-sent-escaped | search=a%2B%7E | search=a%2B~ | percent | ~ signed, %7E sent
tilde-escaped-sent-bare | search=a%2B~ | search=a%2B%7E | form | %7E signed, ~ sent
marks-quote-plus | search=it's%20*b*~c | search=it%27s+%2Ab%2A~c | form marks=~ | signed with Python's quote_plus or Go's QueryEscape
marks-urlencode | search=it's%20*b*~c | search=it%27s+%2Ab%2A%7Ec | form marks= | signed with PHP's urlencode
marks-java | search=it's+*b*~c | search=it%27s%20*b*%7Ec | percent marks=* | signed with Java's URLEncoder, its plus replaced by %20
marks-all-form | search=it%27s%20%2Ab%2A%7Ec | search=it's+*b*~c | form marks=!'()*~ | signed with encodeURIComponent, its %20 replaced by a plus
marks-empty-kept-sorted | q=b*&q=a+z&type= | q=a%20z&q=b%2A&type= | percent kept sorted | marks, empty values and repeats together
marks-half-escaped-refused | search=*%20* | search=%2A%20* | refused | one encoder treats a mark alike everywhere
plus-sign-as-space-percent-refused | sum=1%2B1 | sum=1%201 | refused | a plus that was sent escaped is no space
percent-changes-value-refused | search=nasi+lemak | search=nasi%2Blemak | refused | a plus on the wire is a space, not a plus
percent-lower-case-refused | search=%5Bx%5D+y | search=%5bx%5d%20y | refused | escapes that are written anew are in upper case
space-in-name | first+name=Ali | first name=Ali | decoded | names are decoded like values
date-range-as-sent | limit=100&date=2026-01-01%20-%202026-01-31 | date=2026-01-01%20-%202026-01-31&limit=100 | wire | a date range as most clients send it
date-range-decoded | limit=100&date=2026-01-01%20-%202026-01-31 | date=2026-01-01 - 2026-01-31&limit=100 | decoded | the same range, signed before encoding
date-range-form | limit=100&date=2026-01-01%20-%202026-01-31 | date=2026-01-01+-+2026-01-31&limit=100 | form | the same range, signed in form encoding
date-range-plus-decoded | date=2026-01-01+-+2026-01-31&limit=100 | date=2026-01-01 - 2026-01-31&limit=100 | decoded | sent in form encoding, signed before it
malay-as-sent | search=Sat%C3%A9%20Kajang | search=Sat%C3%A9%20Kajang | wire | UTF-8 bytes, escaped
malay-decoded | search=Sat%C3%A9%20Kajang | search=Saté Kajang | decoded | the canonical string is signed as UTF-8
malay-form | search=Sat%C3%A9%20Kajang | search=Sat%C3%A9+Kajang | form | only the space differs from the wire
chinese-decoded | name=%E7%8E%8B%E5%B0%8F%E6%98%8E&product=VOLT | name=王小明&product=VOLT | decoded | three bytes a character
chinese-as-sent | product=VOLT&name=%E7%8E%8B%E5%B0%8F%E6%98%8E | name=%E7%8E%8B%E5%B0%8F%E6%98%8E&product=VOLT | wire | as sent
emoji-as-sent | note=%F0%9F%8D%9C | note=%F0%9F%8D%9C | wire | four bytes, two UTF-16 units
emoji-decoded | note=%F0%9F%8D%9C%20lunch | note=🍜 lunch | decoded | signed as its four UTF-8 bytes
combining-accent-decoded | name=Sate%CC%81 | name=Sate\u0301 | decoded | e and a combining accent stay two characters: nothing is normalised
lower-case-hex-as-sent | name=Sat%c3%a9 | name=Sat%c3%a9 | wire | escapes keep their letter case in the wire reading
lower-case-hex-form | name=Sat%c3%a9 | name=Sat%C3%A9 | form | the form reading writes escapes in upper case
needless-escape-as-sent | name=%41li | name=%41li | wire | as sent
needless-escape-decoded | name=%41li | name=Ali | decoded | a needless escape decodes like any other
brackets-in-name-as-sent | status%5B%5D=FAILED | status%5B%5D=FAILED | wire | names are read decoded: status[]
brackets-in-name-decoded | status%5B%5D=FAILED | status[]=FAILED | decoded | brackets are harmless when decoded
reserved-escapes-as-sent | a=%26&b=%3D&c=%23&d=%25&e=%2B | a=%26&b=%3D&c=%23&d=%25&e=%2B | wire | escaped separators are read as characters of the value
reserved-escapes-form | sum=1%20%2B%201 | sum=1+%2B+1 | form | a space and a plus stay apart
escaped-escape-as-sent | note=100%2525 | note=100%2525 | wire | decoded once: 100%25
slashes-raw-form | method=POST&url=https://shop.example/cb | method=POST&url=https%3A%2F%2Fshop.example%2Fcb | form | unescaped on the wire, escaped by the client's form encoder
decoded-plus-refused | sum=1%2B1 | sum=1+1 | refused | 1+1 would be read as "1 1"
decoded-ampersand-refused | note=a%26admin%3D1 | note=a&admin=1 | refused | one parameter would be read as two
decoded-ampersand-alone-refused | shop=A%26W | shop=A&W | refused | the rest of the value would be a parameter without =
decoded-equals-sign-refused | note=a%3Db | note=a=b | refused | the decoded reading never counts with = inside
decoded-hash-refused | note=no%231 | note=no#1 | refused | the decoded reading never counts with # inside
decoded-percent-refused | note=100%25 | note=100% | refused | the decoded reading never counts with % inside
decoded-escape-refused | note=100%2525 | note=100%25 | refused | decoding would happen twice
decoded-ampersand-in-name-refused | a%26b=1 | a&b=1 | refused | the rule holds for names too
decoded-parameter-from-nothing-refused | product=NOVA&debug%3D1 | debug=1&product=NOVA | refused | a parameter without = on the wire stays excluded
mixed-encodings-refused | a=x%20y&sum=1%2B1 | a=x y&sum=1%2B1 | refused | one reading holds for the whole query
unsorted-refused | product=NOVA&account=1 | product=NOVA&account=1 | refused | sent order is not key order
sorted-as-whole-pairs-refused | a=1&a-b=2 | a-b=2&a=1 | refused | whole pairs were compared instead of keys
sorted-descending-refused | a=1&b=2 | b=2&a=1 | refused | ascending, not descending
repeated-key-other-order-refused | s=C&s=A&s=B | s=B&s=C&s=A | refused | neither sent order nor sorted by value
some-empty-values-kept-refused | a=&b=&c=1 | a=&c=1 | refused | empty values are kept or dropped all together
no-equals-sign-signed-refused | debug&product=NOVA | debug&product=NOVA | refused | a parameter without = must be left out
question-mark-signed-refused | product=NOVA | ?product=NOVA | refused | the ? does not belong to the query
query-left-out-refused | product=NOVA | | refused | a query that is sent must be signed
parameter-added-refused | account=1&product=NOVA | account=1 | refused | a parameter was added after signing
value-changed-refused | amount=100 | amount=10 | refused | a value was changed after signing
`

const JSON_BODY = '{"refid":"A-1001","product":"NOVA","account":"60123456789","amount":"10"}'
const UNICODE_BODY = '{"remarks":"Saté 王小明 🍜"}'
const utf8 = (text) => ({ utf8: text })
const bytes = (hex) => ({ base64: Buffer.from(hex, 'hex').toString('base64') })
const hashOf = (text) => sha256(text).toString('base64')

// Requests that differ in more than their query. `hashed` is what the client hashed if that is not the body;
// `canonical`, `key` and `header` change one step of the signing. A case with `refused` must not verify.
const REQUESTS = [
  ['post-json', { method: 'POST', body: utf8(JSON_BODY) }, 'the bytes of the body as sent'],
  ['post-json-spaced', { method: 'POST', body: utf8('{ "a" : 1 }') }, 'white space counts'],
  ['post-unicode', { method: 'POST', body: utf8(UNICODE_BODY) }, 'UTF-8 bytes'],
  ['post-crlf', { method: 'POST', body: utf8('{\r\n  "a": 1\r\n}\r\n') }, 'CRLF is not turned into LF'],
  ['post-trailing-newline', { method: 'POST', body: utf8('{"a":1}\n') }, 'a final newline counts'],
  [
    'post-byte-order-mark',
    { method: 'POST', body: bytes('efbbbf7b7d') },
    'the mark is three bytes of the body',
  ],
  [
    'post-not-utf8',
    { method: 'POST', body: bytes('ff00fe80') },
    'any bytes can be signed; parsing comes after',
  ],
  ['post-empty-body', { method: 'POST', body: utf8('') }, 'an empty body has the hash of the empty string'],
  [
    'post-query-and-body',
    { method: 'POST', query: 'b=2&a=1', signed: 'a=1&b=2', body: utf8('{}') },
    'query and body are both signed',
  ],
  ['post-query-only', { method: 'POST', query: 'amount=500' }, 'POST /v2/low-balance-threshold: no body'],
  [
    'post-callback-url-as-sent',
    {
      method: 'POST',
      query: 'url=https%3A%2F%2Fshop.example%2Fcb%3Fkey%3D1&method=GET',
      signed: 'method=GET&url=https%3A%2F%2Fshop.example%2Fcb%3Fkey%3D1',
    },
    'POST /v2/callback-url: an address with a query of its own',
  ],
  [
    'post-callback-url-decoded',
    {
      method: 'POST',
      query: 'url=https%3A%2F%2Fshop.example%2Fcb&method=GET',
      signed: 'method=GET&url=https://shop.example/cb',
      reading: 'decoded',
    },
    'colons and slashes are harmless when decoded',
  ],
  [
    'post-callback-url-decoded-query-refused',
    {
      method: 'POST',
      query: 'url=https%3A%2F%2Fshop.example%2Fcb%3Fkey%3D1&method=GET',
      signed: 'method=GET&url=https://shop.example/cb?key=1',
      refused: true,
    },
    'the decoded address contains =',
  ],
  [
    'post-ten-mebibytes',
    { method: 'POST', body: { generator: { kind: 'repeat', byte: 97, length: 10_485_760 } } },
    'the largest body there may be: 10 MiB of the letter a',
  ],
  ['put-json', { method: 'PUT', body: utf8('{"url":"https://shop.example/hook"}') }, 'PUT like POST'],
  ['put-no-body', { method: 'PUT' }, 'no body is the empty string'],
  ['patch-json', { method: 'PATCH', body: utf8('{"enabled":false}') }, 'PATCH hashes its body too'],
  ['delete-no-body', { method: 'DELETE' }, 'the hash of the empty string'],
  ['delete-query', { method: 'DELETE', query: 'b=2&a=1', signed: 'a=1&b=2' }, 'a query on DELETE is signed'],
  ['delete-body-hashed', { method: 'DELETE', body: utf8('{"a":1}') }, 'a body on DELETE may be hashed'],
  [
    'delete-body-not-hashed',
    { method: 'DELETE', body: utf8('{"a":1}'), hashed: '' },
    'or left out of the hash',
  ],
  ['get-body-hashed', { body: utf8('{"a":1}') }, 'a body on GET may be hashed'],
  ['get-body-not-hashed', { body: utf8('{"a":1}'), hashed: '' }, 'or left out of the hash'],
  ['nonce-shortest', { nonce: '0123456789abcdef' }, '16 characters'],
  ['nonce-longest', { nonce: 'N0nce_-x'.repeat(16) }, '128 characters'],
  ['nonce-every-kind', { nonce: 'AZaz09-_AZaz09-_' }, 'letters, digits, hyphen and underscore'],
  ['nonce-uuid', { nonce: '4f9c2c1e-7a55-4b0e-9d4b-0c6f2b8f6a11' }, 'a UUID will do'],
  ['timestamp-other', { timestamp: '1799999999' }, 'the timestamp as its header says it'],
  ['secret-64-bytes', { secret: SECRET_64_BYTES }, 'a key as long as the block of SHA-256'],
  ['secret-96-bytes', { secret: SECRET_96_BYTES }, 'a key longer than the block, which HMAC hashes first'],

  [
    'post-body-not-hashed',
    { method: 'POST', body: utf8(JSON_BODY), hashed: '', refused: true },
    'only GET and DELETE',
  ],
  [
    'put-body-not-hashed',
    { method: 'PUT', body: utf8('{"a":1}'), hashed: '', refused: true },
    'only GET and DELETE',
  ],
  [
    'patch-body-not-hashed',
    { method: 'PATCH', body: utf8('{"a":1}'), hashed: '', refused: true },
    'only GET and DELETE',
  ],
  [
    'get-body-other',
    { body: utf8('{"a":1}'), hashed: '{"a":2}', refused: true },
    'neither the body nor nothing',
  ],
  [
    'body-changed',
    { method: 'POST', body: utf8('{"a":2}'), hashed: '{"a":1}', refused: true },
    'changed on the way',
  ],
  [
    'body-rewritten',
    { method: 'POST', body: utf8('{ "a": 1 }'), hashed: '{"a":1}', refused: true },
    'not the bytes sent',
  ],
  [
    'body-newline-cut',
    { method: 'POST', body: utf8('{"a":1}\n'), hashed: '{"a":1}', refused: true },
    'not the bytes sent',
  ],
  [
    'body-mark-cut',
    { method: 'POST', body: bytes('efbbbf7b7d'), hashed: '{}', refused: true },
    'not the bytes sent',
  ],
  [
    'body-hash-hex',
    { method: 'POST', body: utf8('{}'), hash: sha256('{}').toString('hex'), refused: true },
    'the hash is written in Base64, not in hex',
  ],
  [
    'query-on-post-left-out',
    { method: 'POST', query: 'amount=500', signed: '', refused: true },
    'POST signs its query',
  ],
  [
    'method-lower-case',
    { method: 'POST', canonical: (p) => ({ ...p, method: 'post' }), refused: true },
    'upper case',
  ],
  [
    'method-other',
    { method: 'DELETE', canonical: (p) => ({ ...p, method: 'GET' }), refused: true },
    'the method is signed',
  ],
  [
    'timestamp-changed',
    { canonical: (p) => ({ ...p, timestamp: '1767225601' }), refused: true },
    'the time is signed',
  ],
  [
    'timestamp-milliseconds',
    { canonical: (p) => ({ ...p, timestamp: `${p.timestamp}000` }), refused: true },
    'seconds',
  ],
  [
    'nonce-changed',
    { canonical: (p) => ({ ...p, nonce: 'another-nonce-here' }), refused: true },
    'the nonce is signed',
  ],
  [
    'path-signed',
    { canonical: (p) => ({ ...p, query: '/v2/balance' }), refused: true },
    'the path is no part of it',
  ],
  ['version-left-out', { join: (parts) => parts.slice(1).join(':'), refused: true }, 'it begins with v1'],
  ['joined-by-newlines', { join: (parts) => parts.join('\n'), refused: true }, 'joined by colons'],
  ['newline-at-end', { join: (parts) => `${parts.join(':')}\n`, refused: true }, 'nothing follows the hash'],
  [
    'secret-not-decoded',
    { key: (secret) => Buffer.from(secret, 'ascii'), refused: true },
    'the key is the decoded secret',
  ],
  ['secret-other', { key: () => Buffer.from(OTHER_SECRET, 'base64'), refused: true }, 'another key'],
  [
    'signature-base64url',
    { header: (mac) => `v1=${mac.toString('base64url')}`, refused: true },
    'Base64, not base64url',
  ],
  ['signature-hex', { header: (mac) => `v1=${mac.toString('hex')}`, refused: true }, 'Base64, not hex'],
  ['signature-no-prefix', { header: (mac) => mac.toString('base64'), refused: true }, 'v1= is missing'],
  [
    'signature-upper-prefix',
    { header: (mac) => `V1=${mac.toString('base64')}`, refused: true },
    'v1 in lower case',
  ],
  [
    'signature-v2',
    { header: (mac) => `v2=${mac.toString('base64')}`, refused: true },
    'there is no version 2',
  ],
  [
    'signature-cut',
    { header: (mac) => `v1=${mac.subarray(0, 16).toString('base64')}`, refused: true },
    '16 of 32 bytes',
  ],
]

function sha256(data) {
  return createHash('sha256').update(data).digest()
}

function bodyBytes(body) {
  if (body === null) return Buffer.alloc(0)
  if (body.generator) return Buffer.alloc(body.generator.length, body.generator.byte)
  return body.base64 === undefined ? Buffer.from(body.utf8, 'utf8') : Buffer.from(body.base64, 'base64')
}

/** Returns the parameters of a signed query as the application reads them. */
function readsOf(signedQuery) {
  if (signedQuery === '') return []
  const decode = (part) => decodeURIComponent(part.replaceAll('+', ' '))
  return signedQuery.split('&').map((pair) => {
    const at = pair.indexOf('=')
    return [decode(pair.slice(0, at)), decode(pair.slice(at + 1))]
  })
}

function readingOf(words) {
  const [encoding, ...rest] = words.split(' ')
  const marks = rest.find((word) => word.startsWith('marks='))
  return {
    encoding,
    ...(marks !== undefined && { marks: marks.slice('marks='.length) }),
    empties: rest.includes('kept') ? 'kept' : 'dropped',
    repeats: rest.includes('sorted') ? 'sorted' : 'sent',
  }
}

function makeCase(name, request, why) {
  const {
    secret = SECRET,
    method = 'GET',
    query = '',
    signed = query,
    body = null,
    refused = false,
  } = request
  const { timestamp = TIMESTAMP, nonce = `vector-nonce-${name}`, reading = 'wire' } = request
  const bodyHash = request.hash ?? hashOf(request.hashed ?? bodyBytes(body))
  const right = { version: 'v1', timestamp, nonce, method, query: signed, bodyHash }
  const parts = Object.values(request.canonical ? request.canonical(right) : right)
  const canonical = request.join ? request.join(parts) : parts.join(':')
  const key = request.key ? request.key(secret) : Buffer.from(secret, 'base64')
  const mac = createHmac('sha256', key).update(canonical, 'utf8').digest()
  return {
    name,
    secret,
    method,
    query,
    body,
    timestamp,
    nonce,
    canonical_string: canonical,
    body_hash: bodyHash,
    signature: request.header ? request.header(mac) : `v1=${mac.toString('base64')}`,
    verifies: !refused,
    reading: refused ? null : readingOf(reading),
    reads: refused ? null : readsOf(signed),
    why,
  }
}

function queryCases() {
  const rows = QUERIES.trim().split('\n')
  return rows.map((row) => {
    const [name, query, signed, reading, why] = row.split('|').map((cell) => cell.trim())
    return makeCase(name, { query, signed, reading, refused: reading === 'refused' }, why)
  })
}

/** Renders one member per line, so that a change shows only the lines it touches. */
function render(lists, source) {
  const texts = Object.entries(lists).map(([name, cases]) => {
    const blocks = cases.map((one) => {
      const members = Object.entries(one).map(
        ([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
      )
      return `  {\n${members.join(',\n')}\n  }`
    })
    return `${JSON.stringify(name)}: [\n${blocks.join(',\n')}\n]`
  })
  const comment = `Generated by ${source}: edit the cases there, then npm run vectors`
  return `{\n"comment": ${JSON.stringify(comment)},\n${texts.join(',\n')}\n}\n`
}

const signing = {
  cases: [...queryCases(), ...REQUESTS.map(([name, request, why]) => makeCase(name, request, why))],
}
const OURS = 'vectors'
const OF_CLIENTS = 'packages/sdk/vectors'
const FILES = [
  { dir: OURS, name: 'signing.json', lists: signing, source: 'scripts/vectors.js' },
  { dir: OURS, name: 'cost-rules.json', lists: costRules, source: 'scripts/vectors/cost-rules.js' },
  { dir: OURS, name: 'webhooks.json', lists: webhooks, source: 'scripts/vectors/webhooks.js' },
  { dir: OF_CLIENTS, name: 'signing.json', lists: signingOf(signing), source: 'scripts/vectors.js' },
  { dir: OF_CLIENTS, name: 'queries.json', lists: queries, source: 'scripts/vectors/sdk/signing.js' },
  { dir: OF_CLIENTS, name: 'webhooks.json', lists: verification, source: 'scripts/vectors/sdk/webhooks.js' },
  { dir: OF_CLIENTS, name: 'inbox.json', lists: inbox, source: 'scripts/vectors/sdk/webhooks.js' },
  { dir: OF_CLIENTS, name: 'answers.json', lists: answers, source: 'scripts/vectors/sdk/answers.js' },
  { dir: OF_CLIENTS, name: 'retries.json', lists: retries, source: 'scripts/vectors/sdk/answers.js' },
  { dir: OF_CLIENTS, name: 'forms.json', lists: forms, source: 'scripts/vectors/sdk/forms.js' },
]

for (const { dir, name, lists, source } of FILES) {
  const path = `${dir}/${name}`
  const file = new URL(`../${path}`, import.meta.url)
  const text = render(lists, source)
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text)
    process.stdout.write(`${path}: ${Object.values(lists).flat().length} cases\n`)
  } else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${path} differs from ${source}: run npm run vectors\n`)
    process.exitCode = 1
  }
}
