import { type ComponentType, useEffect, useState } from 'react'

type Module<Props> = { default: ComponentType<Props> }

/**
 * Loads the code of a view when the view is first shown, and shows `Fallback` meanwhile. A load failure goes to the
 * error boundary, and the next mount retries the load. React's `lazy` is not used: it may show its fallback for 300 ms
 * after the code has arrived, and it never retries.
 */
export function onDemand<Props extends object>(
  load: () => Promise<Module<Props>>,
  Fallback: ComponentType = () => null,
) {
  let loaded: ComponentType<Props> | null = null
  let loading: Promise<ComponentType<Props>> | null = null

  const loadOnce = (): Promise<ComponentType<Props>> => {
    loading ??= load().then(
      (module) => {
        loaded = module.default
        return loaded
      },
      (error) => {
        loading = null
        throw error
      },
    )
    return loading
  }

  function OnDemand(props: Props) {
    const [View, setView] = useState(() => loaded)
    const [failure, setFailure] = useState<{ error: unknown } | null>(null)
    useEffect(() => {
      if (View !== null) return
      loadOnce().then(
        (view) => setView(() => view),
        (error) => setFailure({ error }),
      )
    }, [View])
    if (failure !== null) throw failure.error
    return View === null ? <Fallback /> : <View {...props} />
  }
  /** Loads the code before the view is shown. The view reports a failure when it is shown. */
  const preload = (): Promise<unknown> => loadOnce().catch(() => {})
  return Object.assign(OnDemand, { preload })
}
