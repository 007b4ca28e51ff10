/** Downloads from an address of the service, or of the page itself, under the name that is given there or here. */
export function download(url: string, name = ''): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}

/** Downloads a text that the page has made as a file. */
export function downloadText(text: string, name: string, type = 'text/csv;charset=utf-8'): void {
  // The mark tells spreadsheets that the text is UTF-8.
  const url = URL.createObjectURL(new Blob(['\uFEFF', text], { type }))
  download(url, name)
  // The browser has taken the contents once the click is handled.
  window.setTimeout(() => URL.revokeObjectURL(url), 0)
}
