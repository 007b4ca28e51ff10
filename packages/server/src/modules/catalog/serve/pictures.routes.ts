import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { anyone, operation } from '../../../http/operation.ts'
import { documentedAs } from '../../../http/parameters.ts'
import { RequestError } from '../../../lib/errors.ts'
import { oneOf } from '../../../lib/input/fields.ts'
import { drawPicture, PICTURE_FILE, PICTURE_KINDS } from '../model/pictures.rules.ts'

const Picture = Type.String({ contentMediaType: 'image/svg+xml', description: 'The picture' })
const NotModified = Type.Null({ description: 'Unchanged since the `ETag` in `If-None-Match`' })
const PictureParams = Type.Object({
  kind: documentedAs(oneOf(PICTURE_KINDS), Type.String()),
  file: documentedAs(PICTURE_FILE, Type.String({ description: 'The code and .svg' })),
})

const HEADERS = {
  'Content-Type': 'image/svg+xml',
  // The picture depends on its address alone. The limit is a day, because another release may draw it
  // differently.
  'Cache-Control': 'public, max-age=86400',
  'Content-Security-Policy': "default-src 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** Pictures that the service draws; public, because browsers load them without credentials. */
export function pictureOperations(): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/images/:kind/:file',
      docs: {
        operationId: 'getPicture',
        summary: 'A picture that the catalogue names',
        description: 'Needs no credentials. Only pictures that the service draws itself are here.',
        tag: 'Catalogue',
      },
      schemas: {
        params: PictureParams,
        responses: { 200: Picture, 304: NotModified },
      },
      authenticate: anyone,
      async handle({ params, request }) {
        const picture = drawPicture(params.kind, params.file)
        if (picture === undefined) {
          throw new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such picture.' })
        }
        const tag = `"${createHash('sha256').update(picture).digest('base64url').slice(0, 22)}"`
        const headers = { ...HEADERS, ETag: tag }
        const known = String(request.headers['if-none-match'] ?? '')
        return known.includes(tag)
          ? { status: 304, body: Buffer.alloc(0), headers }
          : { status: 200, body: Buffer.from(picture), headers }
      },
    }),
  ]
}
