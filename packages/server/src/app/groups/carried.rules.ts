import type { Gone } from '../../db/carried.ts'

// Every table of the schema stands in one of the two lists. What is carried is written in the first group alone, and
// every other group gets it; what is a group's own is written in it.

export type CarriedTable = {
  readonly name: string
  readonly owner: string
  /** Fate of a row here that the first group does not have; none: the owner's writer carries the table. */
  readonly gone?: Gone
  /** Columns that every other group has otherwise. */
  readonly instead?: Readonly<Record<string, string>>
}

/** Tables that are carried, in the order in which they are written: a row is behind the rows that it refers to. */
export const CARRIED: readonly CarriedTable[] = [
  { name: 'catalog_groups', owner: 'catalog' },
  { name: 'catalog_categories', owner: 'catalog' },
  { name: 'catalog_products', owner: 'catalog' },
  { name: 'catalog_options', owner: 'catalog' },
  { name: 'catalog_texts', owner: 'catalog' },
  { name: 'price_levels', owner: 'catalog' },
  { name: 'wholesale_prices', owner: 'catalog' },
  { name: 'level_limits', owner: 'accounts', gone: 'delete' },
  { name: 'number_plans', owner: 'numbers', gone: 'delete' },
  { name: 'currency_rates', owner: 'rates', gone: 'fixed' },
  // A payment may still be asked about at a supplier that the first group has removed.
  {
    name: 'provider_connections',
    owner: 'providers',
    gone: { set: 'is_enabled = false, version = version + 1' },
  },
  { name: 'provider_routes', owner: 'providers', gone: 'delete' },
  { name: 'provider_packs', owner: 'providers', gone: 'delete' },
  {
    name: 'network_notices',
    owner: 'network',
    gone: { set: 'ended_at = least(ended_at, statement_timestamp())' },
  },
  // Their passwords, codes, passkeys, sessions and tokens stay in the first group, where operators sign in.
  {
    name: 'operators',
    owner: 'accounts',
    gone: { set: `status = 'disabled'` },
    instead: { password_hash: '!' },
  },
]

/**
 * Tables that are a group's own, by owner: data of its resellers, work of its jobs, keys, and what its nodes have seen of
 * suppliers. Lists of suppliers (offers) are read in the first group, and lead to its catalogue. Stock belongs to the
 * group that it was bought for.
 */
export const OWN: Readonly<Record<string, readonly string[]>> = {
  accounts: ['directory_version', 'resellers', 'users', 'api_keys', 'ip_allowlist', 'api_key_uses'],
  alerts: ['operator_alerts', 'mail_notices', 'mail_preferences', 'mail_languages', 'mails', 'mail_tallies'],
  approvals: ['approvals'],
  audit: ['audit_keys', 'audit_log', 'audit_head'],
  auth: [
    'nonces',
    'address_counters',
    'address_blocks',
    'token_keys',
    'refresh_tokens',
    'login_failures',
    'token_request_counters',
  ],
  cases: ['cases', 'case_messages', 'case_work'],
  catalog: [
    'catalog_version',
    'withdrawn_prices',
    'account_views',
    'product_permissions',
    'overlay_groups',
    'overlay_categories',
    'overlay_products',
    'overlay_options',
    'catalog_changes',
    'catalog_change_parts',
    'catalog_events',
    'account_catalog_events',
  ],
  counter: ['counter_favourites', 'counter_saved_filters'],
  db: [
    'schema_functions',
    'schema_migrations',
    'data_keys',
    'carried_version',
    'group_place',
    'group_move_steps',
  ],
  deposits: ['deposit_requests'],
  events: [
    'event_facts',
    'event_sequences',
    'events',
    'event_endpoints',
    'deliveries',
    'delivery_work',
    'delivery_lanes',
    'event_fanouts',
    'delivery_strips',
    'retention_turns',
    'delivery_days',
  ],
  finance: ['daily_closings'],
  grants: ['approval_stops'],
  numbers: ['number_lookups'],
  offers: ['offer_syncs', 'offer_schedules', 'supplier_offers', 'offer_proposals'],
  operator: ['ledger_proofs', 'lone_decisions'],
  orders: ['checkout_settings', 'orders', 'order_lines', 'order_units', 'order_work'],
  payments: [
    'payments',
    'payment_work',
    'payment_open_attempts',
    'payment_changes',
    'payment_rejections',
    'payment_rollups',
    'payment_rollup_days',
    'test_clocks',
    'provider_callbacks',
    'restores',
    'lost_payments',
    'payment_supplier_references',
    'payment_supplier_costs',
    'quotes',
    'test_clock_moves',
    'reseller_limits',
    'payment_tallies',
    'payment_counts',
    'number_walk',
    'payment_rollup_parts',
    'payment_batches',
    'batch_schedules',
    'batch_schedule_lines',
    'payment_batch_lines',
    'member_limits',
  ],
  portal: ['request_log', 'first_signed_calls'],
  providers: [
    'provider_version',
    'provider_health',
    'provider_floats',
    'provider_float_readings',
    'stock_keys',
    'stock_batches',
    'stock_items',
    'stock_levels',
    'provider_health_intervals',
    'provider_proofs',
    'provider_unknown_answers',
    'provider_refusals',
  ],
  receipts: ['receipts', 'receipt_keys', 'receipt_headers'],
  sessions: [
    'shared_tills',
    'member_pins',
    'pin_failures',
    'sessions',
    'second_factors',
    'recovery_codes',
    'password_reset_requests',
    'password_resets',
    'invitations',
    'operator_tokens',
    'sign_in_devices',
    'passkeys',
    'passkey_challenges',
  ],
  settlement: ['settlement_files', 'settlement_lines', 'settlement_differences'],
  tills: ['branches', 'tills', 'till_settings', 'shifts', 'shift_stays', 'shift_movements', 'shift_sales'],
  wallet: ['wallets', 'transfers', 'transfer_chain', 'chain_keys', 'chain_heads', 'balance_thresholds'],
}
