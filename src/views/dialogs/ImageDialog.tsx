import { useState } from 'react'
import type { ShownImage } from '../../machines/dialog.ts'
import { DialogFrame } from './DialogFrame.tsx'

/** A picture in full size (spec section 2, image preview modal). */
export default function ImageDialog({ image, onDismiss }: { image: ShownImage; onDismiss: () => void }) {
  const [failed, setFailed] = useState(false)
  return (
    <DialogFrame title={image.name} onDismiss={onDismiss} className="w-fit min-w-72 max-w-full">
      {failed ? (
        <p className="grid h-48 place-items-center px-10 text-ink-2">Image failed to load</p>
      ) : (
        <img
          src={image.url}
          alt={image.name}
          referrerPolicy="no-referrer"
          className="mx-auto block min-h-0 max-h-[calc(100dvh-8.5rem)] max-w-full bg-sunken object-contain"
          onError={() => setFailed(true)}
        />
      )}
      <a
        href={image.url}
        target="_blank"
        rel="noopener noreferrer"
        className="shrink-0 px-4 py-2.5 font-medium text-accent text-xs underline"
      >
        Open in a new tab
      </a>
    </DialogFrame>
  )
}
