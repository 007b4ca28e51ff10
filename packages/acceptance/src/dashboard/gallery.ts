import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

export type Gallery = {
  /** Address of the page that shows every component in every state. */
  readonly url: string
  close(): Promise<void>
}

/** Serves the page of all components as `npm run dev` does. The build does not have it. */
export async function openGallery(): Promise<Gallery> {
  const root = fileURLToPath(new URL('../../../web', import.meta.url))
  const server = await createServer({
    root,
    configFile: `${root}/vite.config.ts`,
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0, hmr: false },
  })
  await server.listen()
  const address = server.httpServer?.address()
  if (typeof address !== 'object' || address === null) throw new Error('the gallery has no address')
  return { url: `http://127.0.0.1:${address.port}/design`, close: () => server.close() }
}
