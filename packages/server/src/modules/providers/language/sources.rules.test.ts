import { expect, it } from 'vitest'
import { changed, fullConfig, problemsOf } from '../../../testing/providers/http-configs.ts'

it.each<[string, unknown, string]>([
  ['submit.body', { ref: '{{reference}}', sign: { digest: 'md4', of: ['a'] } }, 'one of'],
  ['submit.body', { ref: '{{reference}}', sign: { digest: 'md5', of: [] } }, 'list of 1 to 20'],
  ['submit.body', { ref: '{{reference}}', sign: { digest: 'md5', of: [{ secret: 'x' }] } }, 'no secret'],
  ['submit.body', { sign: { digest: 'md5', of: ['{{reference}}'] } }, '{{reference}}'],
  ['submit.headers', { A: { text: ['{{acount}}'] } }, 'no placeholder'],
  ['submit.headers', { A: { text: ['a\nb'] } }, 'ASCII'],
  ['submit.headers', { A: { texts: ['a'] } }, 'must be a text'],
  ['products', { NOVA: { code: 'N', values: { 'Send Value': '1' } } }, 'lower-case'],
  ['products', { NOVA: { code: 'N', by_amount: {} } }, 'not known'],
])('a request with %s = %j is refused, because of %s', (path, value, words) => {
  const problems = problemsOf(changed(fullConfig(), path, value))
  expect(problems.map(({ message }) => message).join('\n')).toContain(words)
})
