import { expectRefused } from '../refused-queries.ts'

expectRefused('/v2/number-lookup', 'account', [
  '',
  '?account=',
  '?account=twelve',
  '?account=12345',
  `?account=${'1'.repeat(101)}`,
  '?account=1&account=2',
])
