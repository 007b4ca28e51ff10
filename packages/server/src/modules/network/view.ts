import { formatDayFirst } from '../../lib/dates.ts'
import type { AddressOf } from '../../lib/own-addresses.ts'
import type { EffectiveProduct } from '../catalog/model/types.ts'
import type { NetworkState } from './types.ts'

type Shown = Pick<EffectiveProduct, 'name' | 'imageUrl'> & { readonly product: { readonly code: string } }

export function networkView(
  { product, name, imageUrl }: Shown,
  { isInterrupted, sinceMs }: NetworkState,
  addressOf: AddressOf,
) {
  return {
    data: {
      product_code: product.code,
      product_name: name,
      product_img: addressOf(imageUrl),
      network_status: isInterrupted ? 'Interruption' : 'Healthy',
    },
    metadata: { status_code: 200 as const, last_updated: formatDayFirst(new Date(sinceMs)) },
  }
}
