import { useParam } from '../../shell/navigation.tsx'
import { NotFoundPage } from '../../shell/not-found.tsx'
import { isStream } from './streams.ts'
import { Webhooks } from './webhooks.tsx'

/** Endpoints of all streams, with the deliveries of one. */
export function Page() {
  const stream = useParam('stream')
  return isStream(stream) ? <Webhooks stream={stream} /> : <NotFoundPage />
}
