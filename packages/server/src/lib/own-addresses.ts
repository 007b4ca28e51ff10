/** Turns the path of something that this service serves itself into its address; other URLs stay as they are. */
export type AddressOf = (url: string) => string

/** For those who show what is stored. */
export const asStored: AddressOf = (url) => url

/** `baseUrl` is asked each time: a service that picks its port knows it only once it listens. */
export function addressesAt(baseUrl: () => string): AddressOf {
  return (url) => (url.startsWith('/') ? `${baseUrl()}${url}` : url)
}
