/** Returns a path of this entry from the address, or the fallback: nobody is led to another host after signing in. */
export function localPath(path: string | undefined, fallback: string): string {
  if (path === undefined || !path.startsWith(`${fallback}/`) || path.includes('//') || path.includes('\\')) {
    return fallback
  }
  return path
}
