import { expect } from 'vitest'
import { insertDelivery, insertEndpoint } from '../events/deliveries.ts'
import { payWith } from '../payments/payments.ts'
import type { Change } from './bench.ts'
import {
  blockAddress,
  importedFile,
  loadPins,
  newKey,
  newOperator,
  newUser,
  openCase,
  raiseAlert,
  settlementFile,
  withFactor,
} from './bench.ts'
import { OFFER_CHANGES } from './offers.ts'
import { SUPPLIER_CHANGES } from './supplier-changes.ts'

const SOMETHING = expect.anything()
const WHY = ['--reason', 'month end']

const SINGAPORE = {
  country: 'SG',
  trunk: '',
  source: 'Made up',
  as_of: '2026-01-01',
  operators: [{ code: 'SIGMA', name: 'Sigma', aliases: [], products: ['NOVA'] }],
  ranges: [{ prefix: '9', kind: 'mobile', digits_min: 8, digits_max: 8, operator: 'SIGMA' }],
}

/** Commands that change something, in an order in which they can run one after the other. */
export const CHANGES: Readonly<Record<string, Change>> = {
  'reseller create': [
    'reseller.create',
    () => ['--name', 'Kedai', '--email', 'k@example.com'],
    null,
    { name: 'Kedai' },
  ],
  'reseller update': [
    'reseller.update',
    (c) => c.of('--name', 'Lama'),
    { name: SOMETHING },
    { name: 'Lama' },
  ],
  'reseller suspend': ['reseller.suspend', (c) => c.of(), { status: 'active' }, { status: 'suspended' }],
  'reseller activate': [
    'reseller.activate',
    async (c) => {
      await c.warungd('reseller', 'suspend', ...c.of())
      return c.of()
    },
    { status: 'suspended' },
    { status: 'active' },
  ],
  'settings set': [
    'settings.update',
    (c) => c.of('--topup-requires-api-key', 'on'),
    { topupRequiresApiKey: false },
    { topupRequiresApiKey: true },
  ],
  'user create': [
    'user.create',
    (c) => c.of('--username', c.fresh('user'), '--role', 'viewer'),
    null,
    { role: 'viewer' },
  ],
  'user password': ['user.password', newUser, { username: SOMETHING }, { username: SOMETHING }],
  'user role': [
    'user.update',
    async (c) => [...(await newUser(c)), '--role', 'admin'],
    { role: 'viewer' },
    { role: 'admin' },
  ],
  'user enable': ['user.update', newUser, { status: 'active' }, { status: 'active' }],
  'user disable': ['user.update', newUser, { status: 'active' }, { status: 'disabled' }],
  'user two-factor remove': [
    'two_factor.remove',
    async (c) => withFactor(c, 'member', await newUser(c)),
    { two_factor: true },
    { two_factor: false },
  ],
  'key create': ['key.create', (c) => c.of('--label', 'till'), null, { label: 'till' }],
  'key update': [
    'key.update',
    async (c) => [...(await newKey(c)), '--daily-cap', '50', '--expires', 'none'],
    { daily_cap: null },
    { daily_cap: '50.00', expires_at: null },
  ],
  'key rotate': ['key.rotate', newKey, { state: 'active' }, { state: 'active' }],
  'key revoke': ['key.revoke', newKey, { state: 'active' }, { state: 'revoked' }],
  'allowlist add': [
    'allowlist.add',
    (c) => c.of('--network', '203.0.113.1'),
    [],
    [{ network: '203.0.113.1' }],
  ],
  'allowlist remove': [
    'allowlist.remove',
    (c) => c.of('--network', '203.0.113.1'),
    [{ network: '203.0.113.1' }],
    [],
  ],
  'allowlist clear': [
    'allowlist.clear',
    async (c) => {
      await c.warungd('allowlist', 'add', ...c.of('--network', '203.0.113.2'))
      return c.of()
    },
    [{ network: '203.0.113.2' }],
    [],
  ],
  deposit: [
    'deposit.post',
    (c) => c.of('--amount', '5', '--remarks', 'bank'),
    { balance: SOMETHING },
    { amount: '5.00' },
  ],
  adjust: [
    'adjustment.post',
    (c) => c.of('--amount=-1', '--remarks', 'charges'),
    { balance: SOMETHING },
    { amount: '-1.00' },
  ],
  commission: [
    'commission.post',
    (c) => c.of('--amount', '2', '--remarks', 'sales'),
    { balance: SOMETHING },
    { amount: '2.00' },
  ],
  'threshold add': ['threshold.add', (c) => c.of('--amount', '50'), [], ['50.00']],
  'threshold remove': ['threshold.remove', (c) => c.of('--amount', '50'), ['50.00'], []],
  'payment resolve': [
    'payment.resolve',
    async (c) => {
      const payment = await payWith(c.node, c.resellerId)
      await c.age(payment, 86_400)
      return c.of('--id', String(payment.id), '--as', 'failed', ...WHY)
    },
    { state: 'accepted' },
    { state: 'failed' },
  ],
  'case take': ['case.take', (c) => openCase(c, 'dispute'), { state: 'open' }, { state: 'in_progress' }],
  'case message': [
    'case.message',
    async (c) => [...(await openCase(c, 'dispute')), '--text', 'We ask.'],
    { state: SOMETHING },
    { text: 'We ask.' },
  ],
  'case approve': [
    'case.approve',
    async (c) => [...(await openCase(c, 'void')), '--evidence', 'a letter'],
    { state: 'open' },
    { state: 'resolved', text: 'a letter' },
  ],
  'case refuse': [
    'case.refuse',
    async (c) => [...(await openCase(c, 'dispute')), '--reason', 'No.'],
    { state: 'open' },
    { state: 'refused', text: 'No.' },
  ],
  'case resolve': [
    'case.resolve',
    async (c) => [...(await openCase(c, 'dispute')), '--message', 'Yes.'],
    { state: 'open' },
    { state: 'resolved', text: 'Yes.' },
  ],
  'clock advance': [
    'clock.advance',
    (c) => c.of('--seconds', '60'),
    { advanced_seconds: 0 },
    { advanced_seconds: 60 },
  ],
  'rate set': ['rate.set', () => ['EUR', '5.10', ...WHY], null, { rate: '5.1' }],
  'number-plan import': [
    'number_plan.set',
    async (c) => [await c.written('plan.json', JSON.stringify({ plans: [SINGAPORE] })), ...WHY],
    [],
    [{ country: 'SG', is_own: true, operators: 1, ranges: 1 }],
  ],
  'limit set': [
    'limits.set',
    (c) => ['--reseller', c.account, '--scope', 'account', '--period', 'day', '--payments', '3', ...WHY],
    [],
    [{ scope: 'account', period: 'day', category: null, payments: 3, sum: null }],
  ],
  'limit remove': [
    'limits.set',
    (c) => ['--reseller', c.account, '--scope', 'account', '--period', 'day', ...WHY],
    [{ payments: 3 }],
    [],
  ],
  'member-limit set': [
    'member_limits.update',
    async (c) => [...(await newUser(c)), '--period', 'day', '--payments', '3', ...WHY],
    [],
    [{ period: 'day', payments: 3, sum: null }],
  ],
  'member-limit remove': [
    'member_limits.update',
    async (c) => {
      const whose = await newUser(c)
      await c.warungd('member-limit', 'set', ...whose, '--period', 'day', '--sum', '50')
      return [...whose, '--period', 'day', ...WHY]
    },
    [{ sum: '50.00' }],
    [],
  ],
  'notice add': [
    'notice.create',
    () => ['--product', 'NOVA', '--message', 'Slow'],
    null,
    { message: 'Slow', target: { kind: 'product', code: 'NOVA' } },
  ],
  'notice end': [
    'notice.end',
    async (c) => [
      '--id',
      String((await c.warungd('notice', 'add', '--product', 'NOVA', '--message', 'Slow')).id),
    ],
    { endedAt: null },
    { endedAt: SOMETHING },
  ],
  'mail switch': [
    'mail.switch',
    (c) => c.of('--kind', 'deposit', '--to', 'off'),
    { deposit: true },
    { deposit: false },
  ],
  'alert clear': [
    'alert.clear',
    async (c) => ['--id', await raiseAlert(c)],
    { cleared_at: null },
    { cleared_at: SOMETHING },
  ],
  'endpoint pause': [
    'endpoint.pause',
    async (c) => {
      await insertEndpoint(c.database, c.resellerId)
      return c.of('--stream', 'balance')
    },
    { paused_at: null },
    { paused_at: SOMETHING },
  ],
  'endpoint resume': [
    'endpoint.resume',
    (c) => c.of('--stream', 'balance'),
    { paused_at: SOMETHING },
    { paused_at: null },
  ],
  'delivery replay': [
    'delivery.replay',
    async (c) =>
      c.of('--stream', 'balance', '--id', await insertDelivery(c, c.resellerId, { status: 'failed' })),
    null,
    { jobId: SOMETHING },
  ],
  'settlement import': ['settlement.import', settlementFile, null, { provider: 'simulator', lines: 1 }],
  'settlement withdraw': [
    'settlement.withdraw',
    async (c) => [...(await importedFile(c)), ...WHY],
    { withdrawn: false },
    { withdrawn: true },
  ],
  'settlement resolve': [
    'settlement.accept',
    async (c) => {
      const { differences } = await c.warungd('settlement', 'differences', ...(await importedFile(c)))
      const [difference] = differences as { id: string }[]
      return ['--id', difference?.id ?? '', '--accept', ...WHY]
    },
    null,
    { closed_as: 'accepted' },
  ],
  ...SUPPLIER_CHANGES,
  'stock load': ['stock.load', loadPins, null, { product: 'NOVA', items: 1 }],
  'stock withdraw': [
    'stock.withdraw',
    async (c) => [
      '--batch',
      String((await c.warungd('stock', 'load', ...(await loadPins(c)))).batch),
      ...WHY,
    ],
    null,
    { withdrawn: 1 },
  ],
  'stock level': [
    'stock.level',
    () => ['--product', 'NOVA', '--denomination', '10', '--min', '5'],
    { min: 0 },
    { min: 5 },
  ],
  'catalog import': [
    'catalogue.import',
    async (c) => ['--file', await c.written('levels.json', '{"levels":[{"code":"FILE","name":"File"}]}')],
    null,
    SOMETHING,
  ],
  ...OFFER_CHANGES,
  'catalog price': [
    'price.set',
    () => ['--level', 'STANDARD', '--product', 'NOVA', '--percentage', '0.98'],
    { value: '0.985' },
    { value: '0.98' },
  ],
  'catalog permit': [
    'permission.set',
    (c) => c.of('--product', 'NOVA'),
    { is_allowed: null },
    { is_allowed: true },
  ],
  'catalog forbid': [
    'permission.set',
    (c) => c.of('--product', 'NOVA'),
    { is_allowed: true },
    { is_allowed: false },
  ],
  'level create': ['level.create', () => ['--code', 'NEW', '--name', 'New'], null, { code: 'NEW' }],
  'overlay set': [
    'overlay.set',
    (c) => c.of('--product', 'NOVA', '--off'),
    null,
    { products: [{ code: 'NOVA' }] },
  ],
  'overlay remove': [
    'overlay.remove',
    (c) => c.of('--product', 'NOVA'),
    { products: [{ code: 'NOVA' }] },
    null,
  ],
  'operator create': [
    'operator.create',
    () => ['--email', 'new@example.com', '--name', 'New', '--role', 'support'],
    null,
    { role: 'support' },
  ],
  'operator password': ['operator.password', newOperator, { email: SOMETHING }, { email: SOMETHING }],
  'operator role': [
    'operator.update',
    async (c) => [...(await newOperator(c)), '--role', 'finance'],
    { role: 'support' },
    { role: 'finance' },
  ],
  'operator enable': ['operator.update', newOperator, { status: 'active' }, { status: 'active' }],
  'operator disable': ['operator.update', newOperator, { status: 'active' }, { status: 'disabled' }],
  'operator two-factor remove': [
    'two_factor.remove',
    async (c) => withFactor(c, 'operator', await newOperator(c)),
    { two_factor: true },
    { two_factor: false },
  ],
  'block lift': [
    'block.lift',
    async (c) => ['--address', await blockAddress(c, '198.51.100.7')],
    { requests: '30001' },
    null,
  ],
  'token-key rotate': [
    'token_key.rotate',
    async (c) => {
      await c.warungd('token-key', 'rotate')
      return []
    },
    { kid: SOMETHING },
    { kid: SOMETHING },
  ],
  'data-key rotate': ['data_key.rotate', () => [], null, { master_key_id: SOMETHING }],
  // A restore that nobody has accepted holds payments, so these come last.
  'restore accept': [
    'restore.accept',
    async (c) => {
      await c.warungd('restore', 'mark', '--to', '2026-01-01T00:00:00Z', ...WHY)
      return [...WHY, '--stock', 'keep']
    },
    null,
    { accepted: SOMETHING },
  ],
  'restore hold': ['restore.hold', (c) => c.of('--refid', 'R-1', ...WHY), null, { refid: 'R-1' }],
  'restore release': [
    'restore.release',
    async (c) => {
      await c.warungd('restore', 'hold', ...c.of('--refid', 'R-2', ...WHY))
      return c.of('--refid', 'R-2', ...WHY)
    },
    null,
    { refid: 'R-2' },
  ],
  'restore mark': [
    'restore.record',
    () => ['--to', '2026-01-01T00:00:00Z', ...WHY],
    null,
    { restored_to: SOMETHING },
  ],
}
