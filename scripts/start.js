// `npm start`: compiles what changed, then runs the service in this same process, so that signals reach it.
import { build } from './build.js'

await build()
process.argv.splice(2, 0, 'serve')
await import('../packages/server/bin/warungd.js')
