import { type ComponentProps, useState } from 'react'
import { t } from '../../texts/send-on-demand.ts'
import { classNames } from '../components/class-names.ts'
import { writingMark } from '../components/message-box.ts'
import { useRootMark } from '../components/root-mark.ts'
import { useWriting } from '../use-colleagues.ts'
import { NoteComposer } from './NoteComposer.tsx'
import { ThreadComposer } from './ThreadComposer.tsx'

const modes = ['reply', 'note'] as const

/** What a person may write below a thread: a reply to the customer, a note for staff, or nothing, with the reason. */
export function WritingArea(props: Omit<ComponentProps<typeof ThreadComposer>, 'tools'>) {
  useRootMark('data-writing')
  const { mayReply, mayNote } = useWriting()
  const [mode, setMode] = useState<(typeof modes)[number]>(mayReply ? 'reply' : 'note')
  const [showsTools, setShowsTools] = useState(false)
  if (!mayReply && !mayNote)
    return <p className="shrink-0 border-line border-t bg-sunken px-4 py-3 text-ink-2">{t('send.readOnly')}</p>
  return (
    <>
      {mayReply && mayNote && (
        <fieldset
          className={classNames(
            'flex shrink-0 gap-1 border-line border-t px-3 pt-1.5 max-md:px-2 max-md:pt-1',
            mode === 'reply' && !showsTools && 'typing:hidden',
          )}
        >
          <legend className="sr-only">{t('send.mode')}</legend>
          {modes.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={mode === name}
              aria-keyshortcuts={name === 'note' ? 'n' : 'r'}
              {...writingMark(name)}
              className={classNames(
                'h-7 touch:min-h-11 rounded-t-ui px-3 font-medium text-xs',
                mode !== name && 'text-ink-2 hover:bg-sunken',
                mode === name && (name === 'note' ? 'bg-note text-ink' : 'bg-accent-soft text-accent'),
              )}
              onClick={() => setMode(name)}
            >
              {t(name === 'note' ? 'send.noteMode' : 'send.reply')}
            </button>
          ))}
        </fieldset>
      )}
      {mode === 'note' ? (
        <NoteComposer />
      ) : (
        <ThreadComposer {...props} tools={{ shown: showsTools, toggle: () => setShowsTools(!showsTools) }} />
      )}
    </>
  )
}
