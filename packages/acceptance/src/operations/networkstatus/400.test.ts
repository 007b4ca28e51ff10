import { expectRefused } from '../refused-queries.ts'

expectRefused('/v2/networkstatus', 'product', [
  '',
  '?product=',
  '?product',
  '?Product=NOVA',
  '?product=A&product=B',
  `?product=${'x'.repeat(201)}`,
])
