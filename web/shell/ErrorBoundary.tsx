import { Component, type ReactNode } from 'react'
import { Button } from '#web/platform/ui/Button.tsx'
import { firstViewIsShown } from '#web/platform/ui/first-view.ts'

type Props = {
  /** A new value (the path) resets the boundary. */
  resetKey: string
  children: ReactNode
}

/** Keeps a page that throws from taking the whole app with it. */
export class ErrorBoundary extends Component<Props, { failed: boolean; at: string }> {
  override state = { failed: false, at: this.props.resetKey }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  static getDerivedStateFromProps(props: Props, state: { failed: boolean; at: string }) {
    return props.resetKey === state.at ? null : { failed: false, at: props.resetKey }
  }

  override componentDidCatch() {
    firstViewIsShown()
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <div role="alert" className="mx-auto flex max-w-md flex-col items-start gap-3 px-4 py-20">
        <p className="font-display text-xl font-medium">Something went wrong on this page.</p>
        <p className="text-ink-2">
          Your data is safe. Reloading usually helps, also when Howl was updated while this tab was open.
        </p>
        <Button variant="primary" onClick={() => location.reload()}>
          Reload
        </Button>
      </div>
    )
  }
}
