import type { WireError } from '../../shared/errors/appError.ts'

/** Shown in place of everything when Daybreak itself could not say what there is. */
export function Fatal({ problem }: { readonly problem: WireError }) {
  return (
    <main className="fatal" role="alert">
      <h1>Daybreak could not start</h1>
      <p>{problem.message}</p>
      {problem.unchanged.map((line) => (
        <p key={line} className="dim">
          {line}
        </p>
      ))}
      {problem.suggestions.flatMap((s) =>
        s.shell === undefined
          ? []
          : [
              <p key={s.label}>
                {s.label}: <code>{s.shell}</code>
              </p>,
            ],
      )}
      <p>
        <button type="button" className="btn" onClick={() => location.reload()}>
          Try again
        </button>{' '}
        <code className="dimmer">{problem.code}</code>
      </p>
    </main>
  )
}
