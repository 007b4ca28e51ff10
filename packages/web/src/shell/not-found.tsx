import { useText } from '../text/language.ts'
import { SHELL } from './messages.ts'

export function NotFoundPage() {
  const text = useText(SHELL)
  return (
    <main className="si-one">
      <h1>{text.nothingHere}</h1>
      <p className="mid">{text.nothingHereAbout}</p>
      <p>
        <a className="link" href="/">
          {text.toStart}
        </a>
      </p>
    </main>
  )
}
