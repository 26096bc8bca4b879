import { Component, type ReactNode } from 'react'

interface Props {
  readonly children: ReactNode
}

interface State {
  readonly failure: string | null
}

/** Keeps a fault of one page from taking the window with it: says so and offers to show the page anew. */
export class Boundary extends Component<Props, State> {
  override state: State = { failure: null }

  static getDerivedStateFromError(error: unknown): State {
    return { failure: error instanceof Error ? error.message : String(error) }
  }

  override componentDidCatch(error: unknown): void {
    console.error(error)
  }

  override render() {
    const { failure } = this.state
    if (failure === null) return this.props.children
    return (
      <div className="fatal" role="alert">
        <h1>This page could not be shown</h1>
        <p>Something in Daybreak itself went wrong: {failure}</p>
        <p className="dim">Nothing was changed. The inbox and the history still work.</p>
        <p>
          <button type="button" className="btn" onClick={() => this.setState({ failure: null })}>
            Show it again
          </button>
        </p>
      </div>
    )
  }
}
