import { iconOf } from '@warung/forms/picks'
import type { Product } from '../../api/portal.generated.ts'
import { Icon } from '../../ui/icon.tsx'

/** Picture of a product: its own where this service has it, because the page loads nothing from elsewhere. */
export function Picture({ product }: { product: Product }) {
  const { image_url: url } = product
  return (
    <span className="logo" aria-hidden="true">
      <Icon name={iconOf(product)} />
      {url.startsWith(`${location.origin}/`) ? (
        <img
          key={url}
          src={url}
          alt=""
          onError={({ currentTarget }) => currentTarget.setAttribute('hidden', '')}
        />
      ) : null}
    </span>
  )
}
