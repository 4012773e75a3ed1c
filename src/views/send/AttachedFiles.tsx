import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { ActorRefFrom } from 'xstate'
import { blockedReason, limitsText } from '../../domain/send/attached-file-texts.ts'
import type { AttachedFile } from '../../domain/send/attached-files.ts'
import type { attachedFilesMachine } from '../../machines/send/attached-files.ts'
import type { Platform } from '../../schemas/conversation.ts'
import { t } from '../../texts/send-on-demand.ts'
import { dropSelector } from '../components/drop-mark.ts'
import { FileChips } from './FileChips.tsx'

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
          <div className="mb-2 max-h-40 overflow-y-auto">
            <FileChips actor={actor} files={files} label={t('send.files')} />
          </div>
          <p role="status" className="mb-2 text-warn text-xs empty:hidden">
            {blocked}
          </p>
        </>
      )}
      <DropZone place={place} platform={platform} onAttach={onAttach} />
    </div>
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
