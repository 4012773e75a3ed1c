import { FileText } from 'lucide-react'
import { safeName } from '../../domain/shown-text.ts'
import { fileSize } from '../../domain/thread/file-size.ts'
import type { OutgoingFile } from '../../schemas/outgoing-file.ts'
import { t } from '../../texts/thread-on-demand.ts'

/** A file in one line: a small picture or an icon, the name and the size. */
export function FileLine({ file: { kind, url, name, size } }: { file: OutgoingFile }) {
  return (
    <p className="flex min-w-0 items-center gap-2">
      {kind === 'image' ? (
        <img src={url} alt="" className="size-10 shrink-0 rounded-ui border border-line object-cover" />
      ) : (
        <FileText size={16} aria-hidden="true" className="shrink-0 text-ink-2" />
      )}
      <bdi className="min-w-0 truncate">{safeName(name ?? '') || t('thread.file')}</bdi>
      <span className="shrink-0 text-ink-2 text-xs">{fileSize(size)}</span>
    </p>
  )
}
