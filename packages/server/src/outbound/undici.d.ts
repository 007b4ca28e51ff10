// Parts of undici that the outbound client uses. The package's entry loads all of it, and Node's own copy as well; that
// takes a tenth of a second of every start.
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici'
}

declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici'
}
