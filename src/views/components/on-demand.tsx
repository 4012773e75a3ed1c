import { type ComponentType, useEffect, useState } from 'react'

type Module<Props> = { default: ComponentType<Props> }

/**
 * A view whose code is loaded when it is first shown; `Fallback` stands there until then. A failure goes to the error
 * boundary, and the next mount tries again. React's `lazy` may show its fallback for 300 ms after the code has arrived,
 * and never tries again.
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

  return function OnDemand(props: Props) {
    const [View, setView] = useState(() => loaded)
    const [failure, setFailure] = useState<{ error: unknown } | null>(null)
    useEffect(() => {
      if (View !== null) return
      let isGone = false
      loadOnce().then(
        (view) => {
          if (!isGone) setView(() => view)
        },
        (error) => {
          if (!isGone) setFailure({ error })
        },
      )
      return () => {
        isGone = true
      }
    }, [View])
    if (failure !== null) throw failure.error
    return View === null ? <Fallback /> : <View {...props} />
  }
}
