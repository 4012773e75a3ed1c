import { Check, Mic, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { longestVoiceNote, voiceTime } from '../../domain/send/voice-note.ts'
import { selectAsksToDiscard, selectProblem, selectSeconds, selectStage } from '../../machines/send/voice-note.ts'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import { t } from '../../texts/send-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { DiscardDialog } from '../components/DiscardDialog.tsx'
import { TryAgain } from '../components/TryAgain.tsx'
import { useSelector } from '../use-selector.ts'

const problems = {
  denied: 'send.voiceDenied',
  noMicrophone: 'send.voiceNoMicrophone',
  failed: 'send.voiceFailed',
} as const

/** Records a voice note, and attaches it to the reply. */
export default function VoiceNoteDialog({ actor, title, onDismiss }: DialogProps<'voiceNote'>) {
  const stage = useSelector(actor, selectStage)
  const seconds = useSelector(actor, selectSeconds)
  const problem = useSelector(actor, selectProblem)
  const asks = useSelector(actor, selectAsksToDiscard)
  const done = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (stage === 'recording') done.current?.focus()
  }, [stage])
  return (
    <DialogFrame title={title} onDismiss={onDismiss} staysOnPressOutside className="w-105 max-w-full">
      {stage === 'refused' ? (
        <div className="grid gap-3 p-4">
          <p role="alert">{t(problems[problem ?? 'failed'])}</p>
          <TryAgain className="justify-self-start" onRetry={() => actor.send({ type: 'recording.retried' })} />
        </div>
      ) : (
        <div className="grid justify-items-center gap-3 p-4">
          <Mic size={28} aria-hidden="true" className={stage === 'recording' ? 'text-bad' : 'text-ink-3'} />
          <p role="status" className="text-center">
            {t(
              stage === 'asking' ? 'send.voiceAsking' : stage === 'ending' ? 'send.voiceEnding' : 'send.voiceRecording',
            )}
          </p>
          <p role="timer" className="font-semibold text-xl tabular-nums">
            {voiceTime(seconds)} <span className="text-ink-2 text-xs">/ {voiceTime(longestVoiceNote)}</span>
          </p>
          <p className="flex flex-wrap justify-center gap-2">
            <Button onClick={onDismiss}>
              <X size={15} aria-hidden="true" />
              {t('send.voiceCancel')}
            </Button>
            <Button
              ref={done}
              variant="primary"
              disabled={stage !== 'recording'}
              onClick={() => actor.send({ type: 'recording.stopped' })}
            >
              <Check size={15} aria-hidden="true" />
              {t('send.voiceDone')}
            </Button>
          </p>
          <p className="text-center text-ink-2 text-xs">{t('send.voiceHint')}</p>
        </div>
      )}
      {asks && <DiscardDialog actor={actor} question={t('send.voiceDiscardQuestion')} refuse={t('send.voiceKeep')} />}
    </DialogFrame>
  )
}
