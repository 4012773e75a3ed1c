import { ChevronLeft, ChevronRight, FileText, RotateCw, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ActorRefFrom } from 'xstate'
import { type AttachedFile, sizeOf } from '../../domain/send/attached-files.ts'
import { safeName } from '../../domain/shown-text.ts'
import { fileSize } from '../../domain/thread/file-size.ts'
import type { attachedFilesMachine } from '../../machines/send/attached-files.ts'
import { t } from '../../texts/send-on-demand.ts'
import { IconButton } from '../components/Button.tsx'
import { classNames } from '../components/class-names.ts'
import { embeddable } from '../components/embeddable.ts'
import { focusAround } from '../components/focus-around.ts'

type FilesRef = ActorRefFrom<typeof attachedFilesMachine>
type FileChipsProps = {
  actor: FilesRef
  files: readonly AttachedFile[]
  /** The name of the list. */
  label: string
  /** The files cannot be changed now. */
  isDisabled?: boolean
}

/** Files with their state, and the buttons that move, retry and remove one. */
export function FileChips({ actor, files, label, isDisabled = false }: FileChipsProps) {
  return (
    <ul aria-label={label} className="flex flex-wrap gap-2">
      {files.map((file, index) => (
        <Chip
          key={file.id}
          actor={actor}
          file={file}
          isFirst={index === 0}
          isLast={index === files.length - 1}
          isDisabled={isDisabled}
        />
      ))}
    </ul>
  )
}

type ChipProps = { actor: FilesRef; file: AttachedFile; isFirst: boolean; isLast: boolean; isDisabled: boolean }

function Chip({ actor, file, isFirst, isLast, isDisabled }: ChipProps) {
  const { id, status, failure } = file
  const name = safeName(file.name) || t('send.fileUnnamed')
  return (
    <li
      aria-label={name}
      className={classNames(
        'relative flex min-w-0 max-w-full items-center gap-2 rounded-ui border bg-panel py-1 pr-1 pl-2 text-xs',
        // On a phone the buttons stand below a reason, which would have no width beside them.
        failure === null ? 'border-line' : 'border-bad max-sm:flex-wrap max-sm:justify-end',
      )}
    >
      <Thumbnail file={file} name={name} />
      <span className={classNames('grid min-w-0', failure === null ? 'max-w-48' : 'max-w-96 flex-1 max-sm:basis-48')}>
        <bdi className="truncate font-medium">{name}</bdi>
        <span className={failure === null ? 'text-ink-2' : 'text-bad'}>{stateOf(file)}</span>
        {status === 'uploading' && (
          <progress
            aria-label={name}
            // The server copies a picture without telling how far it is.
            value={file.copyOf === null ? file.sent : undefined}
            max={sizeOf(file)}
            className="h-1 w-full accent-(--color-accent)"
          />
        )}
      </span>
      <span className="flex shrink-0">
        {!isFirst && (
          <IconButton
            disabled={isDisabled}
            label={t('send.fileEarlier', { name })}
            onClick={() => actor.send({ type: 'file.moved', id, by: -1 })}
          >
            <ChevronLeft size={14} aria-hidden="true" />
          </IconButton>
        )}
        {!isLast && (
          <IconButton
            disabled={isDisabled}
            label={t('send.fileLater', { name })}
            onClick={() => actor.send({ type: 'file.moved', id, by: 1 })}
          >
            <ChevronRight size={14} aria-hidden="true" />
          </IconButton>
        )}
        {status === 'failed' && (
          <IconButton
            disabled={isDisabled}
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
          disabled={isDisabled}
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

function stateOf(file: AttachedFile): string {
  const { status, sent, copyOf, failure } = file
  if (failure !== null) return failure
  if (status === 'waiting') return t('send.fileWaiting')
  const bytes = sizeOf(file)
  const size = fileSize(bytes)
  if (status !== 'uploading') return size
  if (copyOf !== null) return t('send.fileCopying')
  const percent = bytes === 0 ? 0 : Math.min(100, Math.floor((100 * sent) / bytes))
  return t('send.fileProgress', { percent, size })
}

/** A small picture, a player for a sound, or an icon for other files and what the browser cannot show. */
function Thumbnail({ file: { blob, copyOf, uploaded }, name }: { file: AttachedFile; name: string }) {
  const [url, setUrl] = useState<string | null>(null)
  const stored = blob === null ? (uploaded ?? copyOf?.picture ?? null) : null
  const isPicture = blob === null ? stored?.kind === 'image' : blob.type.startsWith('image/')
  const isSound = blob?.type.startsWith('audio/') ?? false
  const address = isPicture && stored !== null ? embeddable(stored.url) : null
  useEffect(() => {
    if (!isPicture && !isSound) return
    if (blob === null) return setUrl(address)
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob, address, isPicture, isSound])
  if (url === null) return <FileText size={18} aria-hidden="true" className="shrink-0 text-ink-2" />
  if (isSound)
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
