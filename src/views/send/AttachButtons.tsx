import { Camera, Mic, Paperclip } from 'lucide-react'
import { useRef } from 'react'
import { limitsText } from '../../domain/send/attached-file-texts.ts'
import type { Platform } from '../../schemas/conversation.ts'
import { t } from '../../texts/send-on-demand.ts'
import { Button, IconButton } from '../components/Button.tsx'
import { useDialog } from '../use-inbox.ts'

type AttachButtonsProps = {
  conversationId: string
  platform: Platform | null
  onAttach: (files: readonly File[]) => void
}

/** Browsers give the microphone to pages on secure origins only. */
const canRecord = () => 'mediaDevices' in navigator && 'MediaRecorder' in window

/** Opens the system's chooser of files, on a device with a touch screen its camera, and the recorder of voice notes. */
export default function AttachButtons({ conversationId, platform, onAttach }: AttachButtonsProps) {
  const dialog = useDialog()
  const chooser = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const take = (input: HTMLInputElement) => {
    if (input.files !== null && input.files.length > 0) onAttach([...input.files])
    // So that the same file can be chosen again.
    input.value = ''
  }
  return (
    <>
      <Button
        variant="ghost"
        shape="icon"
        aria-label={t('send.attach')}
        title={`${t('send.attach')}. ${limitsText(platform)}`}
        onClick={() => chooser.current?.click()}
      >
        <Paperclip size={15} aria-hidden="true" />
      </Button>
      <input ref={chooser} type="file" multiple hidden onChange={(event) => take(event.currentTarget)} />
      <span className="hidden touch:contents">
        <IconButton label={t('send.photograph')} onClick={() => camera.current?.click()}>
          <Camera size={15} aria-hidden="true" />
        </IconButton>
      </span>
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        onChange={(event) => take(event.currentTarget)}
      />
      {canRecord() && (
        <IconButton
          label={t('send.voice')}
          onClick={() =>
            dialog.send({
              type: 'dialog.requested',
              dialog: { name: 'voiceNote', input: { conversationId, platform } },
            })
          }
        >
          <Mic size={15} aria-hidden="true" />
        </IconButton>
      )}
      {/* Below all tools: a touch screen shows no title. */}
      <p className="order-last hidden basis-full text-2xs text-ink-2 touch:block">{limitsText(platform)}</p>
    </>
  )
}
