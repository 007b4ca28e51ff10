/** Turns the path of an object that this service serves itself into its address; other URLs stay as they are. */
export type AddressOf = (url: string) => string

/** Leaves every URL as it is stored. */
export const asStored: AddressOf = (url) => url

/**
 * Prefixes paths with `baseUrl`, which is read each time: a service that picks its port knows it only once it listens.
 */
export function addressesAt(baseUrl: () => string): AddressOf {
  return (url) => (url.startsWith('/') ? `${baseUrl()}${url}` : url)
}
