/** Makes the slip of a bank transfer: a PDF of one page with these lines, as small as the format allows. */
export function printSlip(lines: readonly string[]): Buffer {
  const text = lines.map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj T*`).join(' ')
  const page = `BT /F 14 Tf 22 TL 28 170 Td ${text} ET`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 320 210]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    `<</Length ${page.length}>>stream\n${page}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let file = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const place = file.length
    file += `${index + 1} 0 obj${object}endobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(
    `${file}${table}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  )
}
