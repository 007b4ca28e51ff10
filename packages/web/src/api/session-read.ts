/** Input of the read that tells who is signed in. It is no error that nobody is: the answer is then empty. */
export const SESSION_READ = { query: { quiet: true } } as const
