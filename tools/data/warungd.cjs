#!/usr/bin/env node
// `bin/warungd` of a release: the operator's command. Without arguments it starts the service as `npm start` does, with
// its data in .warung of the folder that it is called in.
if (process.argv.length === 2) process.argv.push('serve')
void import('../packages/server/bin/warungd.js')
