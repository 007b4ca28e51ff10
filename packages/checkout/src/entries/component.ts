import { WarungCheckout } from '../element/element.tsx'

// A page that loads the script twice keeps the first one.
if (customElements.get('warung-checkout') === undefined)
  customElements.define('warung-checkout', WarungCheckout)
