import { ChevronLeft, ChevronRight, Download, ExternalLink, Maximize2, Minimize2 } from 'lucide-react'
import { useState } from 'react'
import type { DialogProps } from '../../machines/shell/dialog.ts'
import {
  type ShownImage,
  selectImage,
  selectImageCount,
  selectImageNumber,
} from '../../machines/thread/image-gallery.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { Button, IconButton } from '../components/Button.tsx'
import { DialogFrame } from '../components/DialogFrame.tsx'
import { embeddable } from '../components/embeddable.ts'
import { useSelector } from '../use-selector.ts'

const link = 'inline-flex items-center gap-1.5 px-1 font-medium text-accent text-xs underline touch:min-h-11'

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/**
 * Shows a picture in full size and steps through the pictures of the conversation (spec section 2, image preview
 * modal).
 */
export default function ImageDialog({ actor, onDismiss }: DialogProps<'image'>) {
  const image = useSelector(actor, selectImage)
  const number = useSelector(actor, selectImageNumber)
  const count = useSelector(actor, selectImageCount)
  const step = (by: number) => actor.send({ type: 'image.stepped', by })
  if (image === null) return null
  return (
    <DialogFrame
      title={image.name}
      onDismiss={onDismiss}
      className="h-full max-h-[min(56rem,100%)] w-full max-w-5xl max-sm:max-h-full"
      onKeyDown={(event) => {
        const by = steps[event.key]
        if (by !== undefined) step(by)
      }}
    >
      <FullPicture key={number} image={image} />
      <footer className="flex shrink-0 items-center justify-between gap-2 border-line border-t px-3 py-2">
        {count > 1 && (
          <div className="flex items-center gap-1">
            <IconButton label={t('thread.previousPicture')} aria-disabled={number === 1} onClick={() => step(-1)}>
              <ChevronLeft size={18} aria-hidden="true" />
            </IconButton>
            <IconButton label={t('thread.nextPicture')} aria-disabled={number === count} onClick={() => step(1)}>
              <ChevronRight size={18} aria-hidden="true" />
            </IconButton>
            <p aria-live="polite" className="whitespace-nowrap px-1 text-ink-2 text-xs">
              {t('thread.pictureOf', { number, count })}
            </p>
          </div>
        )}
        <a href={image.url} download={image.name || true} className={`ml-auto ${link}`}>
          {t('thread.download')}
          <Download size={13} aria-hidden="true" />
        </a>
        <a href={image.url} target="_blank" rel="noopener noreferrer" className={link}>
          {t('thread.openInTab')}
          <ExternalLink size={13} aria-hidden="true" />
        </a>
      </footer>
    </DialogFrame>
  )
}

/** Fits the picture into the dialog at first. A larger picture can be switched to its original size. */
function FullPicture({ image }: { image: ShownImage }) {
  const source = embeddable(image.url)
  const [failed, setFailed] = useState(source === null)
  const [isLarger, setIsLarger] = useState(false)
  const [isFull, setIsFull] = useState(false)
  if (failed)
    return <p className="grid min-h-0 flex-1 place-items-center px-10 text-ink-2">{t('thread.imageFailedToLoad')}</p>
  return (
    <div className="relative min-h-0 flex-1 bg-sunken">
      <div className={isFull ? 'scroller grid size-full overflow-auto' : 'grid size-full grid-cols-1 grid-rows-1 p-2'}>
        <img
          src={source ?? undefined}
          alt={image.name}
          referrerPolicy="no-referrer"
          className={isFull ? 'm-auto max-w-none' : 'm-auto max-h-full min-h-0 max-w-full object-contain'}
          onLoad={({ currentTarget: { naturalWidth, width } }) => setIsLarger(naturalWidth > width)}
          onError={() => setFailed(true)}
        />
      </div>
      {isLarger && (
        <Button className="absolute top-3 right-3 shadow-float" onClick={() => setIsFull(!isFull)}>
          {isFull ? <Minimize2 size={14} aria-hidden="true" /> : <Maximize2 size={14} aria-hidden="true" />}
          {isFull ? t('thread.fit') : t('thread.fullSize')}
        </Button>
      )}
    </div>
  )
}
