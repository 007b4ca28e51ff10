import type { ReactNode } from 'react'
import { Fragment } from 'react'
import type { Block } from './markdown-blocks.ts'
import { blocksOf, piecesOf } from './markdown-blocks.ts'
import './markdown.css'

/** A page that was written in Markdown, as elements: its text never becomes markup. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="prose">
      {blocksOf(text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks of a text have no identity.
        <BlockView key={index} block={block} />
      ))}
    </div>
  )
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading':
      return <h3>{words(block.text)}</h3>
    case 'text':
      return <p>{words(block.text)}</p>
    case 'code':
      return <pre className="code wrap">{block.text}</pre>
    case 'list': {
      const items = block.items.map((item) => <li key={item}>{words(item)}</li>)
      return block.isNumbered ? <ol>{items}</ol> : <ul>{items}</ul>
    }
    case 'table':
      return (
        <dl>
          {block.rows.map(([term = '', ...rest]) => (
            <Fragment key={term}>
              <dt>{words(term)}</dt>
              <dd>{words(rest.join('; '))}</dd>
            </Fragment>
          ))}
        </dl>
      )
  }
}

function words(text: string): ReactNode {
  return piecesOf(text).map((piece, index) => {
    const key = `${index}`
    if (piece.kind === 'code') return <code key={key}>{piece.text}</code>
    if (piece.kind === 'strong') return <b key={key}>{piece.text}</b>
    if (piece.kind !== 'link') return piece.text
    return (
      <a key={key} className="link" href={piece.to} target="_blank" rel="noreferrer">
        {piece.text}
      </a>
    )
  })
}
