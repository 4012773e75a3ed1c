import { Component, type ReactNode } from 'react'
import { Broken } from './Broken.tsx'

type Props = {
  children: ReactNode
  /** Another value tries again: the place where it happened was left. */
  resetKey?: string
  /** What stands there instead; unless said, the page that offers to load again. */
  fallback?: ReactNode
}
type State = { hasFailed: boolean; resetKey: string | undefined }

/** Keeps a fault in one part of the screen from taking the whole page with it. */
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
