/** Gives a text to the person as a file. It is made in the browser and goes nowhere else. */
export function download(name: string, text: string): void {
  // The mark tells spreadsheets that the text is UTF-8.
  const url = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
