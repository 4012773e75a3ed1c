import { Component, type ReactNode } from 'react'
import { Broken } from './Broken.tsx'

type Props = {
  children: ReactNode
  /** A new value clears the error and renders the children again, for example after navigation. */
  resetKey?: string
  /** Shown instead of the children after an error. Defaults to the page that offers to reload. */
  fallback?: ReactNode
}
type State = { hasFailed: boolean; resetKey: string | undefined }

/** Limits a rendering error to one part of the screen instead of breaking the whole page. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false, resetKey: this.props.resetKey }

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): Partial<State> | null {
    return resetKey === state.resetKey ? null : { hasFailed: false, resetKey }
  }

  override render() {
    const { children, fallback = <Broken /> } = this.props
    return this.state.hasFailed ? fallback : children
  }
}
