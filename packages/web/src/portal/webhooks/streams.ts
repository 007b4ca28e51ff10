import type { Endpoint, PortalTestEndpointRequest } from '../../api/portal.generated.ts'
import type { Tone } from '../../ui/state.tsx'

export type Stream = Endpoint['stream']
type EventType = NonNullable<PortalTestEndpointRequest['type']>

export const STREAMS: readonly Stream[] = ['callback', 'catalog', 'balance', 'order']

export function isStream(value: string): value is Stream {
  return (STREAMS as readonly string[]).includes(value)
}

export const BALANCE_TYPES = ['balance.added', 'balance.low', 'balance.deducted', 'balance.refunded'] as const

/** Events of which a test can be sent; the usual one first. */
export const TEST_TYPES: Readonly<Record<Stream, readonly EventType[]>> = {
  callback: ['payment.succeeded', 'payment.processing', 'payment.failed', 'payment.voided'],
  catalog: [
    'product.updated',
    'product.created',
    'product.deleted',
    'option.updated',
    'option.created',
    'option.deleted',
    'category.updated',
    'category.created',
    'category.deleted',
    'group.updated',
    'group.created',
    'group.deleted',
  ],
  balance: BALANCE_TYPES,
  order: ['order.completed', 'order.timeout', 'order.cancelled'],
}

export type Health = 'unset' | 'paused' | 'off' | 'failing' | 'untried' | 'healthy'

export const HEALTH_TONES: Readonly<Record<Health, Tone>> = {
  unset: 'off',
  paused: 'critical',
  off: 'off',
  failing: 'warning',
  untried: 'info',
  healthy: 'ok',
}

export function healthOf(endpoint: Endpoint): Health {
  if (!endpoint.is_configured) return 'unset'
  if (endpoint.paused_at !== null) return 'paused'
  if (!endpoint.enabled) return 'off'
  if (endpoint.failing_since !== null) return 'failing'
  return endpoint.last_success_at === null ? 'untried' : 'healthy'
}

/** Changes of an endpoint, each in a dialog of its own. */
export type EndpointAction = 'configure' | 'rotate' | 'test' | 'switch' | 'remove'
