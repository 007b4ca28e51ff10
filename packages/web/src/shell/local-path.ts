/** Returns a path of this entry from the address, or the fallback: nobody is led to another host after signing in. */
export function localPath(path: string | undefined, fallback: string): string {
  if (path === undefined || !path.startsWith(`${fallback}/`) || path.includes('//') || path.includes('\\')) {
    return fallback
  }
  return isSignInPath(path, `${fallback}/sign-in`) ? fallback : path
}

/** Encodings inside one another that are opened; a path with more is not one that the app has made. */
const ENCODINGS_MAX = 5

/** Tells whether an address leads to the sign-in page, however it is written: nobody is sent from there to there. */
export function isSignInPath(address: string, signInPath: string): boolean {
  let path = address
  for (let depth = 0; depth < ENCODINGS_MAX; depth += 1) {
    // The address is read as the browser does: dots are resolved, the query and the hash are no part of the path.
    const { pathname } = new URL(path, 'http://localhost')
    if (pathname.toLowerCase().replace(/\/+$/, '') === signInPath) return true
    const decoded = decode(pathname)
    if (decoded === pathname) return false
    path = decoded
  }
  return true
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
