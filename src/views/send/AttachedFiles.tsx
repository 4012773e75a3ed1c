import { ChevronLeft, ChevronRight, FileText, RotateCw, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { ActorRefFrom } from 'xstate'
import { blockedReason, limitsText } from '../../domain/send/attached-file-texts.ts'
import type { AttachedFile } from '../../domain/send/attached-files.ts'
import { safeName } from '../../domain/shown-text.ts'
import { fileSize } from '../../domain/thread/file-size.ts'
import type { attachedFilesMachine } from '../../machines/send/attached-files.ts'
import type { Platform } from '../../schemas/conversation.ts'
import { t } from '../../texts/send-on-demand.ts'
import { IconButton } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { dropSelector } from '../components/drop-mark.ts'
import { focusAround } from '../components/focus-around.ts'

type AttachedFilesProps = {
  actor: ActorRefFrom<typeof attachedFilesMachine>
  files: readonly AttachedFile[]
  platform: Platform | null
  onAttach: (files: readonly File[]) => void
}

/** The files that go out with the next message, and the pane on which more can be dropped. */
export default function AttachedFiles({ actor, files, platform, onAttach }: AttachedFilesProps) {
  const place = useRef<HTMLDivElement>(null)
  const blocked = blockedReason(files, platform)
  return (
    <div ref={place} className="contents">
      {files.length > 0 && (
        <>
          <ul aria-label={t('send.files')} className="mb-2 flex max-h-40 flex-wrap gap-2 overflow-y-auto">
            {files.map((file, index) => (
              <Chip key={file.id} actor={actor} file={file} isFirst={index === 0} isLast={index === files.length - 1} />
            ))}
          </ul>
          <p role="status" className="mb-2 text-warn text-xs empty:hidden">
            {blocked}
          </p>
        </>
      )}
      <DropZone place={place} platform={platform} onAttach={onAttach} />
    </div>
  )
}

type ChipProps = { actor: AttachedFilesProps['actor']; file: AttachedFile; isFirst: boolean; isLast: boolean }

function Chip({ actor, file, isFirst, isLast }: ChipProps) {
  const { id, status, failure } = file
  const name = safeName(file.name)
  return (
    <li
      aria-label={name}
      className={classNames(
        'relative flex min-w-0 max-w-full items-center gap-2 rounded-ui border bg-panel py-1 pr-1 pl-2 text-xs',
        failure === null ? 'border-line' : 'border-bad',
      )}
    >
      <Preview blob={file.blob} name={name} />
      <span className="grid min-w-0 max-w-48">
        <bdi className="truncate font-medium">{name}</bdi>
        <span className={classNames('line-clamp-3', failure === null ? 'text-ink-2' : 'text-bad')}>
          {stateOf(file)}
        </span>
        {status === 'uploading' && (
          <progress
            aria-label={name}
            value={file.sent}
            max={file.blob.size}
            className="h-1 w-full accent-(--color-accent)"
          />
        )}
      </span>
      <span className="flex shrink-0">
        {!isFirst && (
          <IconButton
            label={t('send.fileEarlier', { name })}
            onClick={() => actor.send({ type: 'file.moved', id, by: -1 })}
          >
            <ChevronLeft size={14} aria-hidden="true" />
          </IconButton>
        )}
        {!isLast && (
          <IconButton
            label={t('send.fileLater', { name })}
            onClick={() => actor.send({ type: 'file.moved', id, by: 1 })}
          >
            <ChevronRight size={14} aria-hidden="true" />
          </IconButton>
        )}
        {status === 'failed' && (
          <IconButton
            label={t('send.fileRetry', { name })}
            onClick={(event) => {
              focusAround(event)
              actor.send({ type: 'file.retried', id })
            }}
          >
            <RotateCw size={14} aria-hidden="true" />
          </IconButton>
        )}
        <IconButton
          label={t(status === 'uploading' ? 'send.fileCancel' : 'send.fileRemove', { name })}
          onClick={(event) => {
            focusAround(event)
            actor.send({ type: 'file.removed', id })
          }}
        >
          <X size={14} aria-hidden="true" />
        </IconButton>
      </span>
    </li>
  )
}

function stateOf({ status, sent, blob, failure }: AttachedFile): string {
  if (failure !== null) return failure
  if (status === 'waiting') return t('send.fileWaiting')
  const size = fileSize(blob.size)
  if (status !== 'uploading') return size
  const percent = blob.size === 0 ? 0 : Math.min(100, Math.floor((100 * sent) / blob.size))
  return t('send.fileProgress', { percent, size })
}

/** A small picture, a player for a sound, or an icon for other files and what the browser cannot show. */
function Preview({ blob, name }: { blob: Blob; name: string }) {
  const [url, setUrl] = useState<string | null>(null)
  const [kind] = blob.type.split('/')
  const isShown = kind === 'image' || kind === 'audio'
  useEffect(() => {
    if (!isShown) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob, isShown])
  if (!isShown || url === null) return <FileText size={18} aria-hidden="true" className="shrink-0 text-ink-2" />
  if (kind === 'audio')
    return (
      // biome-ignore lint/a11y/useMediaCaption: staff recorded or chose the sound themselves
      <audio
        controls
        src={url}
        aria-label={t('send.voiceListen', { name })}
        className="h-9 w-56 max-w-full"
        onError={() => setUrl(null)}
      />
    )
  return (
    <img
      src={url}
      alt=""
      className="size-10 shrink-0 rounded-ui border border-line object-cover"
      onError={() => setUrl(null)}
    />
  )
}

type DropZoneProps = Pick<AttachedFilesProps, 'platform' | 'onAttach'> & { place: { current: HTMLElement | null } }

/** Takes files that are dropped on the pane, and says so while some are dragged over it. */
function DropZone({ place, platform, onAttach }: DropZoneProps) {
  const [pane, setPane] = useState<Element | null>(null)
  const attach = useRef(onAttach)
  attach.current = onAttach
  useEffect(() => {
    const target = place.current?.closest<HTMLElement>(dropSelector)
    if (!target) return
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      // Without it the browser opens the file in place of the inbox.
      event.preventDefault()
      setPane(target)
    }
    const leave = (event: DragEvent) => {
      if (!(event.relatedTarget instanceof Node && target.contains(event.relatedTarget))) setPane(null)
    }
    const drop = (event: DragEvent) => {
      setPane(null)
      if (!hasFiles(event)) return
      event.preventDefault()
      const dropped = [...(event.dataTransfer?.files ?? [])]
      if (dropped.length > 0) attach.current(dropped)
    }
    const listeners = { dragenter: over, dragover: over, dragleave: leave, drop } as const
    for (const [type, listener] of Object.entries(listeners)) target.addEventListener(type, listener as EventListener)
    return () => {
      for (const [type, listener] of Object.entries(listeners)) {
        target.removeEventListener(type, listener as EventListener)
      }
    }
  }, [place])
  if (pane === null) return null
  return createPortal(
    <div className="pointer-events-none absolute inset-0 z-10 grid place-items-center border-2 border-accent border-dashed bg-panel/90 p-6 text-center">
      <p>
        <span className="block font-semibold">{t('send.dropHere')}</span>
        <span className="text-ink-2 text-xs">{limitsText(platform)}</span>
      </p>
    </div>,
    pane,
  )
}
