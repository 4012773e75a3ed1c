import { type ComponentType, useEffect, useState } from 'react'

type Module<Props> = { default: ComponentType<Props> }

/**
 * A view whose code is loaded when it is first shown, or before that by `preload`. Not React's `lazy`: that waits some
 * 300 ms before it takes back that nothing was shown, and what is typed meanwhile is lost.
 */
export function onDemand<Props extends object>(load: () => Promise<Module<Props>>) {
  let loaded: ComponentType<Props> | null = null
  const fetchView = async () => {
    loaded ??= (await load()).default
    return loaded
  }

  function OnDemand(props: Props) {
    const [View, setView] = useState(() => loaded)
    const [failure, setFailure] = useState<{ error: unknown } | null>(null)
    useEffect(() => {
      if (View !== null) return
      let isGone = false
      fetchView().then(
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
    return View && <View {...props} />
  }

  /** Loads the code ahead; whether that works is seen when it is shown. */
  OnDemand.preload = () => {
    fetchView().catch(() => {})
  }
  return OnDemand
}
