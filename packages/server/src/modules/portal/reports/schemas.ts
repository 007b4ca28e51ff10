import { Type } from 'typebox'
import { parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { DAYS, Day, dataOf } from '../access/schemas.ts'
import { figures } from '../payments/overview.schemas.ts'
import { DIMENSIONS, REPORT_RULES } from './rules.ts'

export const ReportParameters = Type.Object({
  by: parameter(REPORT_RULES.by, 'Lines of the report'),
  ...DAYS,
})

const compared = {
  ...figures,
  before: Type.Object(figures, { description: 'The same, in the days before' }),
}

export const ReportResponse = dataOf(
  Type.Object(
    {
      by: enumOf(DIMENSIONS),
      from: Day,
      to: Day,
      before: Type.Object(
        { from: Day, to: Day },
        { description: 'Days that it is compared with: as many, whole weeks earlier' },
      ),
      total: Type.Object(compared),
      lines: Type.Array(
        Type.Object({
          key: Type.String({
            description:
              'Day; code of the product or category, empty for products that are no longer known; hour from 0 to 23, ' +
              'GMT+8; who sold: `member:` or `key:` with its id, or `orders` for the checkout; or id of the branch or till, ' +
              'empty for what was sold in no shift',
          }),
          name: orNull(Type.String(), 'null: there is none, or it is not known any more'),
          ...compared,
        }),
        { description: 'Every day and hour in its order; others by sales, the largest first' },
      ),
    },
    { title: 'Sales report' },
  ),
)

export const PdfFile = Type.String({ contentMediaType: 'application/pdf', description: 'The lines as PDF' })
export const ZipFile = Type.String({ contentMediaType: 'application/zip', description: 'ZIP of the files' })

export const XlsxFile = Type.String({
  contentMediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  description: 'XLSX with a header row and a total. Texts are text cells, and nothing is a formula',
})
