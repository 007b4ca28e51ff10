// Cases of request signing that every client of ours must give, and the queries that it sends.

/** Takes the cases of the contract's own reading: the other readings are the service's kindness to other clients. */
export function signingOf({ cases }) {
  return { cases: cases.filter(isOurs).map(({ reading: _, reads: __, verifies: ___, ...rest }) => rest) }
}

const CONTRACT = JSON.stringify({ encoding: 'wire', empties: 'dropped', repeats: 'sent' })

function isOurs({ verifies, reading, method, body }) {
  // Our clients send no body with GET and DELETE.
  const isSendable = body === null || !['GET', 'DELETE'].includes(method)
  return verifies && isSendable && JSON.stringify(reading) === CONTRACT
}

const query = (name, input, wire, why) => ({ name, input, wire, why })

export const queries = {
  cases: [
    query('nothing', {}, '', 'no parameters, no question mark'),
    query('text', { product: 'NOVA' }, 'product=NOVA', 'the plainest'),
    query('order', { product: 'NOVA', account: '1' }, 'account=1&product=NOVA', 'sorted by name'),
    query('codes', { b: 1, B: 2, a10: 3, a2: 4 }, 'B=2&a10=3&a2=4&b=1', "by the characters' codes"),
    query('number', { limit: 10, amount: 1.5 }, 'amount=1.5&limit=10', 'numbers in plain decimals'),
    query('flag', { is_active: false, include_inactive: true }, 'include_inactive=true&is_active=false', ''),
    query('absent', { product: null, type: '', limit: 1 }, 'limit=1', 'null and empty text are not sent'),
    query('zero', { after: 0 }, 'after=0', 'zero is a value'),
    query(
      'list',
      { status: ['SUCCESSFUL', 'PENDING'], limit: 1 },
      'limit=1&status=SUCCESSFUL&status=PENDING',
      'a list repeats its name, in its own order',
    ),
    query('empty-list', { status: [], limit: 1 }, 'limit=1', 'an empty list is not sent'),
    query(
      'range',
      { date: '2026-01-01 - 2026-01-31' },
      'date=2026-01-01%20-%202026-01-31',
      'a space is %20, never a plus',
    ),
    query(
      'url',
      { method: 'GET', url: 'https://shop.example/cb?key=a b&x=1' },
      'method=GET&url=https%3A%2F%2Fshop.example%2Fcb%3Fkey%3Da%20b%26x%3D1',
      'every character with a meaning in a query is escaped',
    ),
    query('plus', { search: '1+1' }, 'search=1%2B1', 'a plus would be read as a space'),
    query(
      'marks',
      { search: "it's (a) *test*!" },
      'search=it%27s%20%28a%29%20%2Atest%2A%21',
      'RFC 3986: only letters, digits and - . _ ~ stay',
    ),
    query('unicode', { search: 'Saté 王 🍜' }, 'search=Sat%C3%A9%20%E7%8E%8B%20%F0%9F%8D%9C', 'UTF-8'),
    query('tilde', { search: 'a~b_c-d.e' }, 'search=a~b_c-d.e', 'these four stay'),
  ],
}
