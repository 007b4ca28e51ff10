import { start } from './start.tsx'

// Every component in every state, for `npm run dev` alone: the build has no page of it.
start([{ path: '/design', load: () => import('../design/page.tsx'), isPublic: true }], () => null)
