import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * Returns the token after the # of a mail's link, and takes it out of the address: it stays in no history, and nobody
 * reads it over a shoulder. Empty: the address had none.
 */
export function useLinkToken(): string {
  const { hash } = useLocation()
  const [token, setToken] = useState(hash)
  useEffect(() => {
    // A second link in the same tab changes the part after the # alone.
    if (hash === '') return
    setToken(hash)
    history.replaceState(history.state, '', location.pathname + location.search)
  }, [hash])
  return token
}
