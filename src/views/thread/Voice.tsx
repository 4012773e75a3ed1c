import { useRef, useState } from 'react'
import { t } from '../../texts/thread-on-demand.ts'
import { Button } from '../components/Button.tsx'

const speeds = [1, 1.5, 2] as const

/** A voice message or another sound, with a button for the speed. */
export function Voice({ url, name, onError }: { url: string; name: string; onError: () => void }) {
  const [speed, setSpeed] = useState<number>(1)
  const player = useRef<HTMLAudioElement>(null)
  const change = () => {
    const next = speeds.find((one) => one > speed) ?? speeds[0]
    if (player.current !== null) player.current.playbackRate = next
    setSpeed(next)
  }
  return (
    <div className="flex w-72 max-w-full items-center gap-1">
      {/* biome-ignore lint/a11y/useMediaCaption: the network provides no captions */}
      <audio
        ref={player}
        controls
        preload="metadata"
        src={url}
        aria-label={name || t('thread.audio')}
        className="h-10 min-w-0 flex-1"
        onError={onError}
      />
      <Button variant="ghost" className="w-12 tabular-nums" aria-label={t('thread.speed', { speed })} onClick={change}>
        {`${speed}×`}
      </Button>
    </div>
  )
}
