import { Webhooks } from './webhooks.tsx'

/** Endpoints of all streams, with the deliveries of callbacks. */
export function Page() {
  return <Webhooks stream="callback" />
}
