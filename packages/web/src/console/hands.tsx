/** Three steps of a change that two persons make: who acts now, and who next. */
export function Hands({
  label,
  now,
  steps,
}: {
  label: string
  now: 1 | 2 | 3
  steps: readonly [string, string, string]
}) {
  return (
    <div className="hands" role="img" aria-label={label}>
      {steps.map((step, index) => (
        <div key={step} className={index + 1 === now ? 'c now' : 'c'}>
          <b>{index + 1}</b>
          {step}
        </div>
      ))}
    </div>
  )
}
