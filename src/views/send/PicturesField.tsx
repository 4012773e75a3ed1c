import { ImagePlus } from 'lucide-react'
import { useId, useRef } from 'react'
import type { ActorRefFrom } from 'xstate'
import { type AttachedFile, inReplyForm, maxFiles } from '../../domain/send/attached-files.ts'
import { fileLimitsShown } from '../../domain/send/file-limits.ts'
import type { attachedFilesMachine } from '../../machines/send/attached-files.ts'
import { t } from '../../texts/send-on-demand.ts'
import { Button } from '../components/Button.tsx'
import { FileChips } from './FileChips.tsx'

type PicturesFieldProps = {
  actor: ActorRefFrom<typeof attachedFilesMachine>
  pictures: readonly AttachedFile[]
  saving: boolean
}

const most = maxFiles['saved reply']

/** The pictures in the form of a saved reply. They are uploaded as soon as they are chosen. */
export function PicturesField({ actor, pictures, saving }: PicturesFieldProps) {
  const id = useId()
  const chooser = useRef<HTMLInputElement>(null)
  const isFull = saving || pictures.length >= most
  const take = (input: HTMLInputElement) => {
    const files = [...(input.files ?? [])]
    if (files.length > 0) actor.send({ type: 'files.chosen', conversationId: inReplyForm, platform: null, files })
    // So that the same file can be chosen again.
    input.value = ''
  }
  return (
    <fieldset aria-describedby={`${id}-hint`} className="grid justify-items-start gap-2">
      <legend className="mb-1 font-medium text-xs">{t('send.replyPictures')}</legend>
      <p id={`${id}-hint`} className="text-2xs text-ink-3">
        {t('send.replyPicturesHint', { count: most, image: fileLimitsShown.image })}
      </p>
      {/* Focusable, so that the focus has a place when a button removes itself. */}
      <div tabIndex={-1} className="max-w-full outline-none empty:hidden">
        {pictures.length > 0 && (
          <FileChips actor={actor} files={pictures} label={t('send.replyPictures')} isDisabled={saving} />
        )}
      </div>
      {/* Not `disabled`, which would lose the focus after the last picture. */}
      <Button aria-disabled={isFull} onClick={() => !isFull && chooser.current?.click()}>
        <ImagePlus size={15} aria-hidden="true" />
        {t('send.replyPicturesAdd')}
      </Button>
      <input
        ref={chooser}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label={t('send.replyPicturesAdd')}
        onChange={(event) => take(event.currentTarget)}
      />
    </fieldset>
  )
}
